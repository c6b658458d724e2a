import type { EvaluateExpressions } from "../../contract/expressions.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Scope } from "../../contract/placeholders/render.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { scriptValues } from "../lib/script-values.ts";

export interface ExpressionPreviewDeps {
  evaluate(call: {
    ownerId: string;
    sources: readonly string[];
    values: Readonly<Record<string, unknown>>;
    signal: AbortSignal;
  }): Promise<JsonValue[]>;
  clock: Clock;
}

export type ExpressionPreview = (
  ownerId: string,
  given: EvaluateExpressions,
  signal: AbortSignal,
) => Promise<{ values: JsonValue[] | null; error: { code: string; message: string } | null }>;

/** The values of expressions as a step would see them. Their failure, a limit included, is a result, not an error. */
export function createExpressionPreview({ evaluate, clock }: ExpressionPreviewDeps): ExpressionPreview {
  return async (ownerId, { expressions: sources, values }, signal) => {
    try {
      const scope = scriptValues({ ...(values as Scope), now: clock.now() });
      return { values: await evaluate({ ownerId, sources, values: scope, signal }), error: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { values: null, error: { code: error.code, message: error.message } };
    }
  };
}
