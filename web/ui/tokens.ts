const count = new Intl.NumberFormat("en");

export function countText(value: number): string {
  return count.format(value);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** "1,250 tokens (1,000 in, 250 out)"; undefined when no model was asked. */
export function tokenText(usage: unknown): string | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const { inputTokens, outputTokens, totalTokens } = usage as Record<string, unknown>;
  const [read, written] = [numberOf(inputTokens), numberOf(outputTokens)];
  const total = numberOf(totalTokens) || read + written;
  return `${count.format(total)} tokens (${count.format(read)} in, ${count.format(written)} out)`;
}
