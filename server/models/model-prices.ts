import * as z from "zod";
import { type Cost, toAmount } from "../lib/cost.ts";

/** Per million tokens, by `provider/model`. */
export type PriceTable = Readonly<Record<string, { input: number; output: number }>>;

export interface ModelPrices {
  currency: string;
  models: PriceTable;
}

const price = z.number().min(0).max(1_000_000);
const priceTableSchema = z.record(
  z.string().regex(/^[a-z-]+\/.+$/, "must be provider/model"),
  z.strictObject({ input: price, output: price }),
);

/** Parses LLM_PRICES. */
export function readPriceTable(text: string, context: z.RefinementCtx): PriceTable {
  if (text === "") return {};
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    context.addIssue('must be a JSON object such as {"openai/gpt-5-mini": {"input": 0.25, "output": 2}}');
    return {};
  }
  const parsed = priceTableSchema.safeParse(table);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const { message } = (issue.code === "invalid_key" ? issue.issues[0] : undefined) ?? issue;
    context.addIssue(`at ${issue.path.join(".")}: ${message}`);
  }
  return {};
}

/** Undefined for a model without a price. */
export function costOf(
  { currency, models }: ModelPrices,
  name: string,
  tokens: { inputTokens: number; outputTokens: number },
): Cost | undefined {
  const found = Object.hasOwn(models, name) ? models[name] : undefined;
  if (found === undefined) return undefined;
  return {
    amount: toAmount((tokens.inputTokens * found.input + tokens.outputTokens * found.output) / 1_000_000),
    currency,
  };
}
