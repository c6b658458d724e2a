import * as z from "zod";
import { limitedRecord, success, text } from "./api.ts";

const record = z.record(z.string(), z.unknown());

export const MAX_EXPRESSION_BODY_BYTES = 1024 * 1024;

export const evaluateExpressionsSchema = z.object({
  expressions: z
    .array(text(10_000, 1))
    .min(1)
    .max(50)
    .describe("Each is one JavaScript expression, as between `{{=` and `}}`"),
  values: z
    .object({
      input: z.unknown().optional(),
      steps: limitedRecord(z.string(), record, 20_000)
        .optional()
        .describe("By step id, such as `{order: {output: …}}`"),
      vars: record.optional(),
      item: z.unknown().optional(),
      index: z.int().optional(),
      trigger: record.optional(),
      workflow: record.optional(),
    })
    .default({})
    .describe("What the expressions can use"),
});
export type EvaluateExpressions = z.infer<typeof evaluateExpressionsSchema>;

export const evaluatedExpressionsResponseSchema = success({
  values: z.array(z.unknown()).nullable().describe("In the order of the expressions; null when one failed"),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
