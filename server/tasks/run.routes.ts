import * as z from "zod";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { runVersionSchema } from "../../contract/drafts.ts";
import {
  executionFailedSchema,
  executionTimeoutSchema,
  runResponseSchema,
} from "../../contract/public-calls.ts";
import { partialResponseSchema, runPartialSchema, runWorkflowSchema } from "../../contract/tasks.ts";
import type { Engine } from "../engine/engine-api.ts";
import { assertMayChoose } from "./version-roles.ts";
import type { Tasks } from "./tasks.ts";
import { readIdempotencyKey } from "../endpoints/idempotency.ts";
import { sendSyncResponse } from "../endpoints/endpoint.routes.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["workflows"];
const params = z.object({ id: z.string() });

export interface RunRoutesDeps {
  tasks: Tasks;
  engine: Engine;
  syncTimeoutMs: number;
}

export function runRoutes(app: HttpServer, { tasks, engine, syncTimeoutMs }: RunRoutesDeps): void {
  app.post(
    "/api/workflows/:id/run",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "runWorkflow",
        summary: "Run a workflow",
        requestHeaders: ["IdempotencyKey"],
        errors: ["idempotency_conflict", "invalid_workflow", "limit_reached"],
        description:
          "A `version` other than `live` needs the role builder. With `?wait=true` the response is sent when the run ends, as for a synchronous public endpoint. With an `Idempotency-Key` header, calls with the same key and body within 24 hours return the same task and response.",
        params,
        querystring: z.object({
          wait: z.enum(["true", "false"]).default("false"),
          version: runVersionSchema.optional(),
        }),
        body: runWorkflowSchema,
        response: {
          200: runResponseSchema,
          500: executionFailedSchema,
          504: executionTimeoutSchema,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { version } = request.query;
      assertMayChoose(request.role, version);
      const input = (request.body?.input ?? {}) as JsonValue;
      const idempotency = await readIdempotencyKey(
        request.headers["idempotency-key"],
        `run:${request.workspaceId}:${id}`,
        { input, ...(version === undefined ? {} : { version }) },
      );
      const { taskId, status } = await tasks.run(request.workspaceId, id, input, { idempotency, version });
      if (request.query.wait === "true")
        return sendSyncResponse(reply, await engine.settled(taskId, syncTimeoutMs, { asStored: true }));
      return { ok: true as const, taskId, status, workflowId: id };
    },
  );

  app.post(
    "/api/workflows/:id/run-partial",
    {
      // A selection may leave out an approval.
      config: { access: { role: "builder", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "runWorkflowSteps",
        summary: "Run selected steps of a workflow",
        requestHeaders: ["IdempotencyKey"],
        errors: ["unknown_step", "idempotency_conflict", "invalid_workflow", "limit_reached"],
        description:
          "Steps run in graph order. Errors of a draft in other steps do not matter. With an `Idempotency-Key` header, calls with the same key and body within 24 hours return the same task and response.",
        params,
        querystring: z.object({ version: runVersionSchema.optional() }),
        body: runPartialSchema,
        response: { 200: partialResponseSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { version } = request.query;
      const scope = `partial:${request.workspaceId}:${id}`;
      const idempotency = await readIdempotencyKey(request.headers["idempotency-key"], scope, {
        ...request.body,
        ...(version === undefined ? {} : { version }),
      });
      const { taskId, status, stepIds } = await tasks.runPartial(request.workspaceId, id, request.body, {
        idempotency,
        version,
      });
      return { ok: true as const, taskId, status, workflowId: id, stepIds };
    },
  );
}
