import * as z from "zod";
import { numberedPageQuerySchema } from "../../contract/api.ts";
import { taskEventListResponseSchema } from "../../contract/task-events.ts";
import {
  attemptListResponseSchema,
  childTaskResponseSchema,
  loopItemListResponseSchema,
} from "../../contract/tasks.ts";
import { toStreamEvent } from "./task-event-view.ts";
import { viewAttempt, viewLoopItem } from "./task-view.ts";
import type { TaskSteps } from "./task-steps.ts";
import { sendJson, sendStored } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["tasks"];
const params = z.object({ id: z.string() });

/** What a task does not carry of its run: attempts, loop items, outputs and the journal. */
export function taskStepRoutes(app: HttpServer, steps: TaskSteps): void {
  app.get(
    "/api/tasks/:id/steps/:stepId/attempts",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listStepAttempts",
        summary: "List the attempts of a step with input and output, newest first",
        description:
          "Includes attempts before a rerun. The id of a step inside a foreach contains the iteration: each[3]/fetch.",
        params: params.extend({ stepId: z.string() }),
        querystring: numberedPageQuerySchema,
        response: { 200: attemptListResponseSchema },
      },
    },
    async (request, reply) => {
      const { id, stepId } = request.params;
      const { items, nextCursor } = await steps.listAttempts(request.workspaceId, id, stepId, request.query);
      return sendJson(reply, 200, { ok: true, attempts: items.map(viewAttempt), nextCursor });
    },
  );

  app.get(
    "/api/tasks/:id/steps/:stepId/output",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getStepOutput",
        summary: "Read the output of one step",
        description:
          "The JSON value itself, however large. Responses that would exceed `MAX_RESPONSE_BYTES` hold `{truncated, bytes, url}` in place of an output, with the address of this route.",
        params: params.extend({ stepId: z.string() }),
        response: { 200: z.unknown().describe("The output") },
      },
    },
    async (request, reply) => {
      const { id, stepId } = request.params;
      return sendStored(reply, await steps.openOutput(request.workspaceId, id, stepId));
    },
  );

  app.get(
    "/api/tasks/:id/steps/:stepId/items",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listLoopItems",
        summary: "List the items of a foreach with the steps of each",
        description:
          "In the order of the items. Input and output of a step are in its attempts: `each[3]/fetch` names the step `fetch` of item 3.",
        params: params.extend({ stepId: z.string() }),
        querystring: numberedPageQuerySchema.extend({
          problems: z
            .enum(["true", "false"])
            .default("false")
            .describe("Only items that failed, retry or wait for a decision"),
        }),
        response: { 200: loopItemListResponseSchema },
      },
    },
    async (request, reply) => {
      const { id, stepId } = request.params;
      const { problems, ...page } = request.query;
      const list = await steps.listLoopItems(request.workspaceId, id, stepId, page, problems === "true");
      return sendJson(reply, 200, { ok: true, ...list, items: list.items.map(viewLoopItem) });
    },
  );

  app.get(
    "/api/tasks/:id/steps/:stepId/child",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getChildTask",
        summary: "Find the task of the sub-workflow that a step started",
        description:
          "Also while it runs. The id of an item of a foreach over a workflow contains the iteration: each[3].",
        params: params.extend({ stepId: z.string() }),
        response: { 200: childTaskResponseSchema },
      },
    },
    async ({ workspaceId, params: { id, stepId } }) => ({
      ok: true as const,
      taskId: (await steps.childOf(workspaceId, id, stepId)) ?? null,
    }),
  );

  app.get(
    "/api/tasks/:id/journal",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listTaskEvents",
        summary: "List the events of a task, oldest first",
        description:
          "The same events as the stream of the task, without the live ones. With `logs=true` an event that ends an attempt has the log lines of that attempt, also inside loops; a page has at most 1 MiB of them.",
        params,
        querystring: numberedPageQuerySchema.extend({
          logs: z.enum(["true", "false"]).default("false").describe("`true` adds the log lines"),
        }),
        response: { 200: taskEventListResponseSchema },
      },
    },
    async (request) => {
      const { logs: withLogs, ...page } = request.query;
      const { items, nextCursor, logs } = await steps.listEvents(
        request.workspaceId,
        request.params.id,
        page,
        withLogs === "true",
      );
      const events = items.map((entry) => {
        const lines = logs.get(entry.seq);
        return { ...toStreamEvent({ seq: entry.seq, entry }), ...(lines && { logs: [...lines] }) };
      });
      return { ok: true as const, events, nextCursor };
    },
  );
}
