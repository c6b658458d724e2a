import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { RunPartial } from "../../contract/tasks.ts";
import type { Engine, Idempotency, RunnableWorkflow, Started, TaskWithSteps } from "../engine/engine-api.ts";
import { stepsFrom } from "../engine/graph/selection.ts";
import { isFinal, type Task, type TaskStatus } from "../engine/tasks/task.ts";
import { AppError } from "../lib/errors.ts";
import type { Page } from "../lib/page.ts";
import type { TaskSummary } from "./task-view.ts";

export interface TaskFilter extends PageQuery {
  status?: TaskStatus | undefined;
  workflowId?: string | undefined;
}

/** Asks for the owner in the query itself. */
export interface TaskStore {
  /** Throws `task_not_found` or `forbidden`. */
  owned(taskId: string, ownerId: string): Promise<TaskSummary>;
  list(ownerId: string, filter: TaskFilter): Promise<Page<TaskSummary>>;
  approvals(ownerId: string, filter: ApprovalFilter): Promise<Page<PendingApproval>>;
}

export interface ApprovalFilter extends PageQuery {
  taskId?: string | undefined;
}

export interface PendingApproval {
  taskId: string;
  workflowId: string;
  stepId: string;
  message: string;
  requestedAt: number;
}

export interface TasksDeps {
  store: TaskStore;
  engine: Engine;
  /** A workflow of this user's as it is today, or as one of its versions was. Throws `workflow_not_found` or `forbidden`. */
  runnable(userId: string, workflowId: string, version?: number): Promise<RunnableWorkflow>;
}

export type Tasks = ReturnType<typeof createTasks>;

/** What a logged-in person does with tasks: whose they are is decided here, what happens in the engine. */
export function createTasks({ store, engine, runnable }: TasksDeps) {
  async function get(userId: string, taskId: string): Promise<TaskWithSteps> {
    await store.owned(taskId, userId);
    return (await engine.read(taskId))!;
  }

  /** A call that is made again gets the answer of the first one, however far the task has come since. */
  async function asFirstAnswered(userId: string, started: Started): Promise<Started> {
    if (!started.existing) return started;
    const { createdAt, startedAt } = await store.owned(started.taskId, userId);
    return { ...started, status: startedAt === createdAt ? "running" : "queued" };
  }

  return {
    get,
    async attempts(userId: string, taskId: string, stepId: string, page: PageQuery) {
      await store.owned(taskId, userId);
      return engine.attempts(taskId, stepId, page);
    },
    list: (userId: string, filter: TaskFilter) => store.list(userId, filter),
    approvals: (userId: string, filter: ApprovalFilter) => store.approvals(userId, filter),

    async run(
      userId: string,
      workflowId: string,
      input: JsonValue,
      idempotency?: Idempotency,
    ): Promise<Started> {
      const workflow = await runnable(userId, workflowId);
      return asFirstAnswered(userId, await engine.start({ workflow, trigger: "manual", input, idempotency }));
    },

    async runPartial(
      userId: string,
      workflowId: string,
      body: RunPartial,
      idempotency?: Idempotency,
    ): Promise<Started & { stepIds: string[] }> {
      const workflow = await runnable(userId, workflowId);
      const stepIds = selected(workflow, body);
      const outputs: Record<string, JsonValue> = {};
      if (body.fromTaskId !== undefined) {
        await store.owned(body.fromTaskId, userId);
        const others = workflow.graph.steps.map((step) => step.stepId).filter((id) => !stepIds.includes(id));
        Object.assign(outputs, await engine.outputsOf(body.fromTaskId, others));
      }
      Object.assign(outputs, body.outputs as Record<string, JsonValue> | undefined);
      const input = (body.input ?? {}) as JsonValue;
      const started = await engine.start({
        workflow,
        trigger: "partial",
        input,
        idempotency,
        selection: { stepIds, outputs },
      });
      return { ...(await asFirstAnswered(userId, started)), stepIds };
    },

    async cancel(userId: string, taskId: string): Promise<Task> {
      const { status } = await store.owned(taskId, userId);
      if (isFinal(status) || !(await engine.cancel(taskId))) {
        throw new AppError("task_finished", `The task has ended already: it is ${status}.`);
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
      await store.owned(taskId, userId);
      return engine.decide(taskId, {
        decision,
        comment: comment ?? null,
        data: (data ?? null) as JsonValue,
        decidedBy: userId,
        stepId,
      });
    },

    async rerunFromFailed(userId: string, taskId: string, version: "current" | undefined) {
      const { workflowId } = await store.owned(taskId, userId);
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
      const { workflowId } = await store.owned(taskId, userId);
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

    /** Where the task stands, for watchers; throws unless it is this user's. */
    status: async (userId: string, taskId: string): Promise<TaskStatus> =>
      (await store.owned(taskId, userId)).status,
  };
}

function selected({ graph }: RunnableWorkflow, { stepIds, steps, startStepId }: RunPartial): string[] {
  const known = new Set(graph.steps.map((step) => step.stepId));
  const asked = stepIds ?? steps ?? [startStepId!];
  const unknown = asked.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new AppError("unknown_step", `The workflow has no step called ${unknown.join(", ")}.`, {
      details: { stepIds: unknown },
    });
  return stepIds === undefined && steps === undefined ? stepsFrom(graph, startStepId!) : [...new Set(asked)];
}
