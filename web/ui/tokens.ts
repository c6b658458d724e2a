const count = new Intl.NumberFormat("en");

export function formatCount(value: number): string {
  return count.format(value);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** "1,250 tokens (1,000 in, 250 out)"; undefined for a step without a model call. */
export function formatTokens(usage: unknown): string | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const { inputTokens, outputTokens, totalTokens } = usage as Record<string, unknown>;
  const [input, output] = [numberOf(inputTokens), numberOf(outputTokens)];
  const total = numberOf(totalTokens) || input + output;
  return `${count.format(total)} tokens (${count.format(input)} in, ${count.format(output)} out)`;
}
