const count = new Intl.NumberFormat("en");
const money = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function formatCount(value: number): string {
  return count.format(value);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** "0.0123 USD"; undefined without a price. */
export function formatCost(cost: unknown): string | undefined {
  if (typeof cost !== "object" || cost === null) return undefined;
  const { amount, currency } = cost as Record<string, unknown>;
  return `${money.format(numberOf(amount))} ${String(currency)}`;
}

/** "1,250 tokens (1,000 in, 250 out), 0.0123 USD"; undefined for a step without a model call. */
export function formatSpent(usage: unknown, cost: unknown): string | undefined {
  const shown = [formatTokens(usage), formatCost(cost)].filter((text) => text !== undefined);
  return shown.length === 0 ? undefined : shown.join(", ");
}

/** The cost of a run; its tokens when the operator has set no price of the model. */
export function formatSpentOfRun(usage: unknown, cost: unknown): string | undefined {
  const tokens = formatTokens(usage);
  return formatCost(cost) ?? (tokens === undefined ? undefined : `${tokens}, no price known`);
}

/** "1,250 tokens (1,000 in, 250 out)"; undefined for a step without a model call. */
export function formatTokens(usage: unknown): string | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const { inputTokens, outputTokens, totalTokens } = usage as Record<string, unknown>;
  const [input, output] = [numberOf(inputTokens), numberOf(outputTokens)];
  const total = numberOf(totalTokens) || input + output;
  return `${count.format(total)} tokens (${count.format(input)} in, ${count.format(output)} out)`;
}
