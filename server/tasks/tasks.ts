import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { RunPartial } from "../../contract/tasks.ts";
import type { Engine, RunnableWorkflow, Started, TaskWithSteps } from "../engine/engine-api.ts";
import { stepsFrom } from "../engine/graph/selection.ts";
import { type Idempotency, isFinal, type Task, type TaskStatus } from "../engine/tasks/task.ts";
import { AppError } from "../lib/errors.ts";
import type { ApprovalFilter, TaskFilter, TaskStore } from "./task.sql.ts";

export interface TasksDeps {
  store: TaskStore;
  engine: Engine;
  /** The newest or the given version of the user's workflow. Throws `workflow_not_found` or `forbidden`. */
  runnable(userId: string, workflowId: string, version?: number): Promise<RunnableWorkflow>;
}

export type Tasks = ReturnType<typeof createTasks>;

/** Task operations of a logged-in user: checks ownership, then calls the engine. */
export function createTasks({ store, engine, runnable }: TasksDeps) {
  async function get(userId: string, taskId: string): Promise<TaskWithSteps> {
    await store.get(taskId, userId);
    return (await engine.read(taskId))!;
  }

  /** For a response: large values are not loaded. */
  async function getStreamed(userId: string, taskId: string): Promise<TaskWithSteps> {
    await store.get(taskId, userId);
    return (await engine.read(taskId, { streams: true }))!;
  }

  /** A repeated idempotent call returns the status of the first response, regardless of the task's progress. */
  async function withFirstStatus(userId: string, started: Started): Promise<Started> {
    if (!started.existing) return started;
    const { createdAt, startedAt } = await store.get(started.taskId, userId);
    return { ...started, status: startedAt === createdAt ? "running" : "queued" };
  }

  return {
    get,
    getStreamed,
    async listAttempts(userId: string, taskId: string, stepId: string, page: PageQuery) {
      await store.get(taskId, userId);
      return engine.attempts(taskId, stepId, page);
    },
    async openOutput(userId: string, taskId: string, stepId: string) {
      await store.get(taskId, userId);
      return engine.openOutput(taskId, stepId);
    },
    async openResult(userId: string, taskId: string) {
      await store.get(taskId, userId);
      return engine.openResult(taskId);
    },
    list: (userId: string, filter: TaskFilter) => store.list(userId, filter),
    listApprovals: (userId: string, filter: ApprovalFilter) => store.listApprovals(userId, filter),

    async run(
      userId: string,
      workflowId: string,
      input: JsonValue,
      idempotency?: Idempotency,
    ): Promise<Started> {
      const workflow = await runnable(userId, workflowId);
      return withFirstStatus(userId, await engine.start({ workflow, trigger: "manual", input, idempotency }));
    },

    async runPartial(
      userId: string,
      workflowId: string,
      body: RunPartial,
      idempotency?: Idempotency,
    ): Promise<Started & { stepIds: string[] }> {
      const workflow = await runnable(userId, workflowId);
      const stepIds = selectSteps(workflow, body);
      const outputs: Record<string, JsonValue> = {};
      if (body.fromTaskId !== undefined) {
        await store.get(body.fromTaskId, userId);
        const others = workflow.graph.steps.map((step) => step.stepId).filter((id) => !stepIds.includes(id));
        Object.assign(outputs, await engine.outputsOf(body.fromTaskId, others));
      }
      Object.assign(outputs, body.outputs as Record<string, JsonValue> | undefined);
      const input = (body.input ?? {}) as JsonValue;
      const started = await engine.start({
        workflow,
        trigger: "partial",
        input,
        // A test of one step may need no input.
        inputUnchecked: body.input === undefined,
        idempotency,
        selection: { stepIds, outputs },
      });
      return { ...(await withFirstStatus(userId, started)), stepIds };
    },

    async cancel(userId: string, taskId: string): Promise<Task> {
      const { status } = await store.get(taskId, userId);
      if (isFinal(status) || !(await engine.cancel(taskId))) {
        throw new AppError("task_finished", `The task has already ended with status ${status}.`);
      }
      return (await get(userId, taskId)).task;
    },

    async resume(
      userId: string,
      taskId: string,
      {
        decision,
        comment,
        data,
        stepId,
      }: {
        decision: "approve" | "reject";
        comment?: string | undefined;
        data?: unknown;
        stepId?: string | undefined;
      },
    ): Promise<"running" | "rejected"> {
      await store.get(taskId, userId);
      return engine.decide(taskId, {
        decision,
        comment: comment ?? null,
        data: (data ?? null) as JsonValue,
        decidedBy: userId,
        stepId,
      });
    },

    async rerunFromFailed(userId: string, taskId: string, version: "current" | undefined) {
      const { workflowId } = await store.get(taskId, userId);
      return engine.rerunFromFailed(
        taskId,
        version === "current" ? await runnable(userId, workflowId) : undefined,
      );
    },

    async replay(
      userId: string,
      taskId: string,
      {
        fromStepId,
        input,
        version,
      }: { fromStepId?: string | undefined; input?: unknown; version?: number | "current" | undefined },
    ): Promise<TaskWithSteps> {
      const { workflowId } = await store.get(taskId, userId);
      const workflow =
        version === undefined
          ? undefined
          : await runnable(userId, workflowId, version === "current" ? undefined : version);
      const { taskId: newId } = await engine.replay(taskId, {
        fromStepId,
        input: input as JsonValue | undefined,
        workflow,
      });
      return (await engine.read(newId))!;
    },

    /** Throws `task_not_found` or `forbidden`. */
    status: async (userId: string, taskId: string): Promise<TaskStatus> =>
      (await store.get(taskId, userId)).status,
  };
}

function selectSteps({ graph }: RunnableWorkflow, { stepIds, steps, startStepId }: RunPartial): string[] {
  const known = new Set(graph.steps.map((step) => step.stepId));
  const requested = stepIds ?? steps ?? [startStepId!];
  const unknown = requested.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new AppError("unknown_step", `The workflow has no step named ${unknown.join(", ")}.`, {
      details: { stepIds: unknown },
    });
  return stepIds === undefined && steps === undefined
    ? stepsFrom(graph, startStepId!)
    : [...new Set(requested)];
}
