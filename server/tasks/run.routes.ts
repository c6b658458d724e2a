import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { executionFailedSchema, executionTimeoutSchema } from "../../contract/public-calls.ts";
import {
  partialResponseSchema,
  runPartialSchema,
  runWorkflowSchema,
  startedResponseSchema,
} from "../../contract/tasks.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Tasks } from "./tasks.ts";
import { idempotencyOf } from "../endpoints/idempotency.ts";
import { sendSettled } from "../endpoints/endpoint.routes.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["workflows"];
const params = z.object({ id: z.string() });
const failures = { "4xx": errorSchema };

export interface RunRoutesDeps {
  tasks: Tasks;
  engine: Engine;
  syncTimeoutMs: number;
}

/** Starting a workflow of one's own. */
export function runRoutes(app: HttpServer, { tasks, engine, syncTimeoutMs }: RunRoutesDeps): void {
  app.post(
    "/api/workflows/:id/run",
    {
      schema: {
        tags,
        summary: "Run a workflow",
        description:
          "With `?wait=true` it answers when the run has ended, as the synchronous public call does. With an `Idempotency-Key` header, the same key and body within 24 hours get the same task and answer.",
        params,
        querystring: z.object({ wait: z.enum(["true", "false"]).default("false") }),
        body: runWorkflowSchema,
        response: {
          200: startedResponseSchema.loose(),
          ...failures,
          500: executionFailedSchema,
          504: executionTimeoutSchema,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const input = (request.body?.input ?? {}) as JsonValue;
      const idempotency = idempotencyOf(request.headers["idempotency-key"], `run:${request.userId}:${id}`, {
        input,
      });
      const { taskId, status } = await tasks.run(request.userId, id, input, idempotency);
      if (request.query.wait === "true")
        return sendSettled(reply, await engine.settled(taskId, syncTimeoutMs));
      return { ok: true as const, taskId, status, workflowId: id };
    },
  );

  app.post(
    "/api/workflows/:id/run-partial",
    {
      schema: {
        tags,
        summary: "Run only some of a workflow's steps",
        description:
          "In the order of the graph. With an `Idempotency-Key` header, the same key and body within 24 hours get the same task and answer.",
        params,
        body: runPartialSchema,
        response: { 200: partialResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { id } = request.params;
      const scope = `partial:${request.userId}:${id}`;
      const idempotency = idempotencyOf(request.headers["idempotency-key"], scope, request.body);
      const { taskId, status, stepIds } = await tasks.runPartial(
        request.userId,
        id,
        request.body,
        idempotency,
      );
      return { ok: true as const, taskId, status, workflowId: id, stepIds };
    },
  );
}
