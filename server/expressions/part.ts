import type { EnginePart } from "../engine/part.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createExpressionPreview } from "./expression-preview.ts";
import { expressionRoutes } from "./expression.routes.ts";

/** A person who types pauses between requests; a program has the runs of workflows. */
const PER_MINUTE = 120;

/** Values of expressions while a field is edited. */
export function createExpressionsPart(
  { clock, limiter }: Platform,
  { evaluate }: Pick<EnginePart, "evaluate">,
): Part {
  const preview = createExpressionPreview({ evaluate, clock });
  return {
    routes: (http) => expressionRoutes(http, { preview, limiter: limiter("expression_preview", PER_MINUTE) }),
  };
}
