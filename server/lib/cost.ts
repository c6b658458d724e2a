/** Money that model calls cost. */
export interface Cost {
  amount: number;
  /** ISO 4217, as in the setting when the call was made. */
  currency: string;
}

/** The sum; undefined without any cost, and of several currencies, which have no sum. */
export function addCosts(costs: Iterable<Cost | undefined>): Cost | undefined {
  let sum: Cost | undefined;
  for (const cost of costs) {
    if (cost === undefined) continue;
    if (sum !== undefined && sum.currency !== cost.currency) return undefined;
    sum = { amount: toAmount((sum?.amount ?? 0) + cost.amount), currency: cost.currency };
  }
  return sum;
}

/** Ten decimals: sums of binary fractions would show as 0.30000000000000004. */
export function toAmount(amount: number): number {
  return Number(amount.toFixed(10));
}
