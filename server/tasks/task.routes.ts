import type { FastifyRequest } from "fastify";
import * as z from "zod";
import {
  rerunResponseSchema,
  rerunSchema,
  replayResponseSchema,
  replaySchema,
  resumeResponseSchema,
  resumeSchema,
  retryNowSchema,
  taskResponseSchema,
} from "../../contract/tasks.ts";
import { streamJson } from "../lib/stored-json.ts";
import { assertRole } from "../security/roles.ts";
import { assertMayChoose, TESTING_ROLE } from "./version-roles.ts";
import { viewTask } from "./task-view.ts";
import type { Tasks } from "./tasks.ts";
import { sendStored } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["tasks"];
const params = z.object({ id: z.string() });

export function taskRoutes(app: HttpServer, tasks: Tasks): void {
  app.get(
    "/api/tasks/:id",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getTask",
        summary: "Read a task with its step results",
        description:
          "`result` and outputs that would make the response too large are `{truncated, bytes, url}`.",
        params,
        response: { 200: taskResponseSchema },
      },
    },
    async (request, reply) => {
      const { task, stepResults, lastSeq } = await tasks.getStreamed(request.workspaceId, request.params.id);
      const body = streamJson((embed) => ({
        ok: true,
        lastSeq,
        task: viewTask(task, stepResults, embed),
      }));
      return sendStored(reply, body);
    },
  );

  app.get(
    "/api/tasks/:id/result",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getTaskResult",
        summary: "Read the result of a task",
        description: "The JSON of `{output, outputs}`, however large; `null` for a task without a result.",
        params,
        response: { 200: z.unknown().describe("The result") },
      },
    },
    async (request, reply) =>
      sendStored(reply, await tasks.openResult(request.workspaceId, request.params.id)),
  );

  app.post(
    "/api/tasks/:id/cancel",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "cancelTask",
        summary: "Cancel a task",
        description: 'Ends its calls, waits and sub-workflows, except those with `onParentEnd: "continue"`.',
        errors: ["task_finished"],
        params,
        response: { 200: resumeResponseSchema },
      },
    },
    async (request) => {
      const { id, status } = await tasks.cancel(request.workspaceId, request.params.id);
      return { ok: true as const, taskId: id, status };
    },
  );

  app.post(
    "/api/tasks/:id/resume",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "resumeTask",
        summary: "Approve or reject a pending approval",
        errors: ["task_not_waiting", "already_decided", "task_finished"],
        description:
          "An empty body approves. Only the first decision counts; a second one gets a 409. A step with `approvers` or `requiredApprovals` takes one decision of each approver: `status` is `waiting_approval` until the last one that it needs, anyone else gets a 403.",
        params,
        body: resumeSchema,
        response: { 200: resumeResponseSchema },
      },
    },
    async (request) => {
      const status = await tasks.resume(
        request.workspaceId,
        deciderOf(request),
        request.params.id,
        request.body ?? { decision: "approve" },
      );
      return { ok: true as const, taskId: request.params.id, status };
    },
  );

  app.post(
    "/api/tasks/:id/retry-now",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "retryTaskNow",
        summary: "Start the next attempt of a waiting retry at once",
        errors: ["task_not_waiting", "task_finished"],
        description:
          "With `stepId` the retry of that step, else every waiting retry. 409 when none is waiting.",
        params,
        body: retryNowSchema,
        response: { 200: resumeResponseSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      await tasks.retryNow(request.workspaceId, id, request.body?.stepId);
      return { ok: true as const, taskId: id, status: "running" as const };
    },
  );

  app.post(
    "/api/tasks/:id/rerun-from-failed",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "rerunTask",
        summary: "Rerun a task from the failed step, keeping the results of successful steps",
        errors: ["task_not_failed", "invalid_workflow", "limit_reached"],
        description:
          "On another version, results of steps that it changed, and of the steps after those, are not kept: `changedSteps`. A draft and a version by its number need the role builder. `version` is accepted in the query and in the body.",
        params,
        querystring: rerunSchema,
        body: rerunSchema.nullish(),
        response: { 200: rerunResponseSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      const version = request.query.version ?? request.body?.version;
      assertMayChoose(request.role, version);
      return {
        ok: true as const,
        taskId: id,
        ...(await tasks.rerunFromFailed(request.workspaceId, id, version)),
      };
    },
  );

  app.post(
    "/api/tasks/:id/replay",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "replayTask",
        summary: "Replay as a new task, from any step or with different input",
        description:
          "The new task has its own id and names this one as `parentTaskId`. From a step, the recorded results of the steps before it are kept. Different input for kept results, a draft and a version by its number need the role builder.",
        errors: ["unknown_step", "invalid_workflow", "limit_reached"],
        params,
        body: replaySchema,
        response: { 201: replayResponseSchema },
      },
    },
    async (request, reply) => {
      assertMayChoose(request.role, request.body?.version);
      const { task, stepResults } = await tasks.replay(
        request.workspaceId,
        request.params.id,
        request.body ?? {},
        () => assertRole(request.role, TESTING_ROLE),
      );
      const { id: taskId, status } = task;
      const body = streamJson((embed) => ({
        ok: true,
        taskId,
        status,
        task: viewTask(task, stepResults, embed),
      }));
      return sendStored(reply, body, { status: 201 });
    },
  );
}

function deciderOf({ userId, authorId, actor }: Pick<FastifyRequest, "userId" | "authorId" | "actor">) {
  return { userId, decidedBy: authorId, via: actor.kind === "user" ? "page" : "api_key" } as const;
}
