import type { PageQuery } from "../../contract/api.ts";
import type { DecisionVia } from "../../contract/approvals.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Graph } from "../../contract/graph.ts";
import type { TaskFilter } from "../../contract/task-list.ts";
import type { RunPartial, VersionChoice } from "../../contract/tasks.ts";
import type { Engine, RunnableWorkflow, Started, TaskWithSteps } from "../engine/engine-api.ts";
import { stepsFrom } from "../engine/graph/selection.ts";
import { type Idempotency, isFinal, type Task, type TaskStatus } from "../engine/tasks/task.ts";
import { AppError } from "../lib/errors.ts";
import type { TaskListStore } from "./task-list.sql.ts";
import { type ApprovalsDeps, createApprovals } from "./approvals.ts";
import type { TaskStore } from "./task.sql.ts";

/** Named in an error. */
const MAX_UNKNOWN_STEPS = 20;

export interface TasksDeps {
  store: TaskStore;
  approvals: ApprovalsDeps["store"];
  listMembers: ApprovalsDeps["listMembers"];
  lists: TaskListStore;
  engine: Engine;
  /** The live or the given version of the user's workflow. Throws `workflow_not_found` or `forbidden`. */
  runnable(
    ownerId: string,
    workflowId: string,
    version?: RunVersion,
    /** Chooses the steps that run; without it, all of them must be valid. */
    choose?: (graph: Graph) => readonly string[],
  ): Promise<RunnableWorkflow>;
}

export type RunVersion = number | "live" | "draft";

export type Tasks = ReturnType<typeof createTasks>;

/** Task operations of a logged-in user: checks ownership, then calls the engine. */
export function createTasks({
  store,
  approvals: approvalStore,
  listMembers,
  lists,
  engine,
  runnable,
}: TasksDeps) {
  const approvals = createApprovals({ store: approvalStore, engine, listMembers, requireTask: store.get });

  async function get(ownerId: string, taskId: string): Promise<TaskWithSteps> {
    await store.get(taskId, ownerId);
    return (await engine.read(taskId))!;
  }

  /** For a response: values are not parsed, and large ones not loaded. */
  async function getStreamed(ownerId: string, taskId: string): Promise<TaskWithSteps & { lastSeq: number }> {
    await store.get(taskId, ownerId);
    // Before the rest: a stream that continues from here may repeat an entry and misses none.
    const lastSeq = await engine.lastSeq(taskId);
    return { ...(await engine.read(taskId, { asStored: true }))!, lastSeq };
  }

  /** A repeated idempotent call returns the status of the first response, regardless of the task's progress. */
  async function withFirstStatus(ownerId: string, started: Started): Promise<Started> {
    if (!started.existing) return started;
    const { createdAt, startedAt } = await store.get(started.taskId, ownerId);
    return { ...started, status: startedAt === createdAt ? "running" : "queued" };
  }

  /** Undefined: the version of the task. */
  async function chosenVersion(
    ownerId: string,
    workflowId: string,
    version: VersionChoice,
  ): Promise<RunnableWorkflow | undefined> {
    if (version === "original") return undefined;
    return runnable(ownerId, workflowId, version === "current" ? "live" : version);
  }

  async function isLive(ownerId: string, workflowId: string, version: number): Promise<boolean> {
    try {
      return (await runnable(ownerId, workflowId, "live")).version === version;
    } catch (error) {
      // Deleted, never published, or no longer valid.
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  return {
    get,
    getStreamed,
    async retryNow(ownerId: string, taskId: string, stepId: string | undefined): Promise<void> {
      await store.get(taskId, ownerId);
      await engine.retryNow(taskId, stepId);
    },
    async openResult(ownerId: string, taskId: string) {
      await store.get(taskId, ownerId);
      return engine.openResult(taskId);
    },
    list: (ownerId: string, filter: TaskFilter & PageQuery) => lists.list(ownerId, filter),
    count: (ownerId: string, filter: TaskFilter) => lists.count(ownerId, filter),
    listApprovals: approvals.list,
    listApprovers: approvals.listApprovers,
    listDecisions: approvals.listDecisions,
    linkApproval: approvals.link,
    resendApprovalEmails: approvals.resendEmails,

    async run(
      ownerId: string,
      workflowId: string,
      input: JsonValue,
      {
        idempotency,
        version,
      }: { idempotency?: Idempotency | undefined; version?: RunVersion | undefined } = {},
    ): Promise<Started> {
      const workflow = await runnable(ownerId, workflowId, version);
      return withFirstStatus(
        ownerId,
        await engine.start({ workflow, trigger: "manual", input, idempotency }),
      );
    },

    async runPartial(
      ownerId: string,
      workflowId: string,
      body: RunPartial,
      {
        idempotency,
        version,
      }: { idempotency?: Idempotency | undefined; version?: RunVersion | undefined } = {},
    ): Promise<Started & { stepIds: string[] }> {
      const choose = (graph: Graph): string[] => selectSteps(graph, body);
      const workflow = await runnable(ownerId, workflowId, version, choose);
      const stepIds = choose(workflow.graph);
      const outputs: Record<string, JsonValue> = {};
      if (body.fromTaskId !== undefined) {
        await store.get(body.fromTaskId, ownerId);
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
      return { ...(await withFirstStatus(ownerId, started)), stepIds };
    },

    async cancel(ownerId: string, taskId: string): Promise<Task> {
      const { status } = await store.get(taskId, ownerId);
      if (isFinal(status) || !(await engine.cancel(taskId))) {
        throw new AppError("task_finished", `The task has already ended with status ${status}.`);
      }
      return (await get(ownerId, taskId)).task;
    },

    async resume(
      workspaceId: string,
      decider: { userId: string; decidedBy: string; via: DecisionVia },
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
    ): Promise<"running" | "rejected" | "waiting_approval"> {
      await store.get(taskId, workspaceId);
      return engine.decide(taskId, {
        ...decider,
        decision,
        comment: comment ?? null,
        data: (data ?? null) as JsonValue,
        stepId,
      });
    },

    async rerunFromFailed(ownerId: string, taskId: string, version: VersionChoice = "original") {
      const { workflowId } = await store.get(taskId, ownerId);
      return engine.rerunFromFailed(taskId, await chosenVersion(ownerId, workflowId, version));
    },

    async replay(
      ownerId: string,
      taskId: string,
      {
        fromStepId,
        input,
        version = "original",
      }: { fromStepId?: string | undefined; input?: unknown; version?: VersionChoice | undefined },
      /** Called before other input meets kept results or a version that is not the published one. */
      beforeOtherInput?: () => void,
    ): Promise<TaskWithSteps> {
      const { workflowId, workflowVersion } = await store.get(taskId, ownerId);
      if (
        input !== undefined &&
        version === "original" &&
        !(await isLive(ownerId, workflowId, workflowVersion))
      )
        beforeOtherInput?.();
      const workflow = await chosenVersion(ownerId, workflowId, version);
      const { taskId: newId } = await engine.replay(taskId, {
        fromStepId,
        input: input as JsonValue | undefined,
        workflow,
        beforeOtherInput,
      });
      return (await engine.read(newId, { asStored: true }))!;
    },

    /** Without input and results. Throws `task_not_found` or `forbidden`. */
    summary: (ownerId: string, taskId: string) => store.get(taskId, ownerId),

    /** Throws `task_not_found` or `forbidden`. */
    status: async (ownerId: string, taskId: string): Promise<TaskStatus> =>
      (await store.get(taskId, ownerId)).status,
  };
}

function selectSteps(graph: Graph, { stepIds, steps, startStepId }: RunPartial): string[] {
  const known = new Set(graph.steps.map((step) => step.stepId));
  const requested = stepIds ?? steps ?? [startStepId!];
  const unknown = requested.filter((id) => !known.has(id)).slice(0, MAX_UNKNOWN_STEPS);
  if (unknown.length > 0)
    throw new AppError("unknown_step", `The workflow has no step named ${unknown.join(", ")}.`, {
      details: { stepIds: unknown },
    });
  return stepIds === undefined && steps === undefined
    ? stepsFrom(graph, startStepId!)
    : [...new Set(requested)];
}
