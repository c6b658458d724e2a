import {
  evaluatedExpressionsResponseSchema,
  evaluateExpressionsSchema,
  MAX_EXPRESSION_BODY_BYTES,
} from "../../contract/expressions.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { ExpressionPreview } from "./expression-preview.ts";

export interface ExpressionRoutesDeps {
  preview: ExpressionPreview;
  limiter: RateLimiter;
}

export function expressionRoutes(app: HttpServer, { preview, limiter }: ExpressionRoutesDeps): void {
  app.post(
    "/api/expressions/evaluate",
    {
      bodyLimit: MAX_EXPRESSION_BODY_BYTES,
      config: { access: { role: "builder", scope: "workflows:read" }, audit: { none: "changes nothing" } },
      schema: {
        tags: ["workflows"],
        operationId: "evaluateExpressions",
        summary: "Evaluate expressions with given values",
        errors: ["rate_limited"],
        description:
          "For a preview while a field is edited: the expressions of `{{= … }}` in the sandbox of the `code` step, with its limits. They see the given values and no secret; nothing is stored. When one fails, `error` says why.",
        body: evaluateExpressionsSchema,
        response: { 200: evaluatedExpressionsResponseSchema },
      },
      onRequest: limitRate(limiter, (request) => request.workspaceId),
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort(new Error("the caller disconnected")));
      return { ok: true as const, ...(await preview(request.workspaceId, request.body, gone.signal)) };
    },
  );
}
