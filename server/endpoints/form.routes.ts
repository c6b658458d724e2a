import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { statusOfError } from "../../contract/errors.ts";
import { formSentResponseSchema, publicFormResponseSchema } from "../../contract/forms.ts";
import { publicCallSchema } from "../../contract/public-calls.ts";
import { bearerOf } from "../http/auth.ts";
import { errorBody } from "../http/errors.ts";
import { sendJson, sendStored } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";
import { parseStored } from "../lib/stored-json.ts";
import { multipartScope } from "../run-files/multipart-scope.routes.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { limitCaller, readCall } from "./endpoint.routes.ts";
import type { Endpoint } from "./endpoint.sql.ts";
import { toPublicForm } from "./public-form.ts";
import type { CallOutcome, PublicCalls } from "./public-calls.ts";

const tags = ["public"];
const params = z.object({ idOrSlug: z.string() });

export interface FormRoutesDeps {
  calls: PublicCalls;
  limiter: RateLimiter;
  runFiles: Pick<RunFiles, "create">;
  /** Of a call with files that declares no length. */
  maxChunkedBytes: number;
}

/** The data of the form page, and the call that it sends. */
export function formRoutes(app: HttpServer, deps: FormRoutesDeps): void {
  const { calls } = deps;
  app.get(
    "/api/forms/:idOrSlug",
    {
      config: { auth: "public" },
      schema: {
        tags,
        operationId: "getForm",
        summary: "Read the fields of a form",
        description:
          "The texts, the schema of the input and whether a key is needed; nothing else about the workflow.",
        errors: ["workflow_not_found"],
        security: [],
        params,
        response: { 200: publicFormResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      form: toPublicForm(await calls.findForm(request.params.idOrSlug)),
    }),
  );

  multipartScope(app, (scope) => sendRoute(scope, deps));
}

function sendRoute(app: HttpServer, { calls, limiter, runFiles, maxChunkedBytes }: FormRoutesDeps): void {
  app.post(
    "/api/forms/:idOrSlug",
    {
      config: { auth: "public", audit: PUBLIC_CALL, maxChunkedBytes },
      schema: {
        tags,
        operationId: "submitForm",
        summary: "Send a form",
        requestHeaders: ["IdempotencyKey"],
        errors: [
          "workflow_not_found",
          "workflow_paused",
          "idempotency_conflict",
          "rate_limited",
          "limit_reached",
          "execution_failed",
        ],
        description:
          "Starts a task with the limits and `Idempotency-Key` of a call of the public endpoint. `form.authentication` says whether it needs an API key of the owner; without it, the endpoint does. The response tells nothing about the steps. With files, send `multipart/form-data`: the part `input` is the JSON of the other fields, and each file has the name of its field.",
        consumes: ["application/json", "multipart/form-data"],
        security: anyOf("apiKey", "nothing"),
        params,
        body: publicCallSchema,
        response: { 200: formSentResponseSchema },
      },
      // Authorizes the caller before the body is read.
      onRequest: async (request: FastifyRequest) => {
        const { idOrSlug } = request.params as { idOrSlug: string };
        request.endpoint = await calls.authorize("form", idOrSlug, bearerOf(request), request.ip);
        await limitCaller(limiter, request.endpoint, request.ip);
      },
    },
    async (request, reply) => {
      const endpoint = request.endpoint as Endpoint;
      const outcome = await calls.call(endpoint, await readCall(request, runFiles), "form");
      return sendOutcome(reply, outcome, endpoint);
    },
  );
}

/** People who fill in a form learn the output, never the steps or their errors. */
async function sendOutcome(
  reply: FastifyReply,
  { taskId, settled }: CallOutcome,
  { customResponse }: Endpoint,
): Promise<FastifyReply> {
  const status = settled?.task.status ?? "queued";
  if (status === "failed" || status === "cancelled" || status === "rejected") {
    const message = "The form was received, but its processing failed.";
    return sendJson(reply, statusOfError("execution_failed"), errorBody("execution_failed", message));
  }
  const showsOutput = status === "completed" && !customResponse;
  if (!showsOutput) return sendJson(reply, 200, { ok: true, taskId, status });
  const result = await parseStored(settled?.task.result);
  const body = { ok: true, taskId, status, output: result?.output ?? null };
  return sendStored(reply, await serializeInTurns(body));
}
