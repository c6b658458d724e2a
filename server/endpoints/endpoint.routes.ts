import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { statusOfError } from "../../contract/errors.ts";
import { errorSchema } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import {
  executionFailedSchema,
  executionTimeoutSchema,
  publicCallResponseSchema,
  publicCallSchema,
  publicTaskResponseSchema,
} from "../../contract/public-calls.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { invalidRequest } from "../lib/errors.ts";
import { viewTask } from "../tasks/task-view.ts";
import type { Endpoint } from "./endpoint.ts";
import type { PublicCalls } from "./public-calls.ts";
import { settledAnswer } from "./settled-answer.ts";
import { bearerOf } from "../http/auth.ts";
import { errorBody } from "../http/errors.ts";
import { sendPlain } from "../http/plain-json.ts";
import type { HttpServer } from "../http/server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The public endpoint that this request was admitted to. */
    endpoint: Endpoint | null;
  }
}

const tags = ["public"];
const failures = { "4xx": errorSchema };

export function publicRoutes(app: HttpServer, calls: PublicCalls): void {
  app.decorateRequest("endpoint", null);

  app.post(
    "/api/workflows/public/:idOrSlug",
    {
      config: { auth: "public" },
      schema: {
        tags,
        summary: "Call a workflow's public endpoint",
        description:
          "Needs `Authorization: Bearer <API key of the owner>` unless the endpoint's authentication is off. With an `Idempotency-Key` header, the same key and body within 24 hours get the same task and answer.",
        security: [],
        params: z.object({ idOrSlug: z.string() }),
        body: publicCallSchema,
        response: {
          200: publicCallResponseSchema,
          ...failures,
          500: executionFailedSchema,
          504: executionTimeoutSchema,
        },
      },
      // Who may call is decided before a byte of the body is read.
      onRequest: async (request: FastifyRequest) => {
        const { idOrSlug } = request.params as { idOrSlug: string };
        request.endpoint = await calls.admit(idOrSlug, bearerOf(request));
      },
      preValidation: refuseNull,
    },
    async (request, reply) => {
      const endpoint = request.endpoint as Endpoint;
      const { taskId, settled } = await calls.call(endpoint, {
        input: (request.body?.input ?? {}) as Record<string, JsonValue>,
        body: request.body ?? {},
        idempotencyKey: request.headers["idempotency-key"],
      });
      if (settled !== undefined) return sendSettled(reply, settled);
      return sendPlain(reply, 200, { ok: true, taskId, workflowId: endpoint.workflow.id });
    },
  );

  app.get(
    "/api/workflows/public/tasks/:taskId",
    {
      config: { auth: "public" },
      schema: {
        tags,
        summary: "Follow a task that a public call has made",
        description: "With an API key of the endpoint's owner, or none when its authentication is off.",
        security: [],
        params: z.object({ taskId: z.string() }),
        response: { 200: publicTaskResponseSchema, ...failures },
      },
    },
    async (request, reply) => {
      const { task, stepResults } = await calls.follow(request.params.taskId, bearerOf(request));
      const { id: taskId, status } = task;
      return sendPlain(reply, 200, { ok: true, taskId, status, task: viewTask(task, stepResults) });
    },
  );
}

/** The validator cannot tell a missing body from the JSON value null; only the first is an empty call. */
function refuseNull(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(request.body === null ? invalidRequest("The body must be an object, or absent.") : undefined);
}

/** How a call that waited for its run is answered, also by `run?wait=true`. */
export function sendSettled(reply: FastifyReply, settled: TaskWithSteps): FastifyReply {
  const answer = settledAnswer(settled);
  return answer.kind === "done"
    ? sendPlain(reply, 200, answer.body)
    : sendPlain(reply, statusOfError(answer.kind), errorBody(answer.kind, answer.message, answer.more));
}
