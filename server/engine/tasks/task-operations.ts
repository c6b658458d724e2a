import type { Member } from "../../../contract/approvers.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { handlesFailure } from "../graph/progress.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type {
  Engine,
  Replay,
  RunnableWorkflow,
  Started,
  StartTask,
  TaskEvent,
  TaskWithSteps,
} from "../engine-api.ts";
import type { RunObserver } from "../run-observer.ts";
import type { TaskTrace } from "../run-tracing.ts";
import { fold } from "../journal/fold.ts";
import type { RerunEntry, StepEntry } from "../journal/journal-entry.ts";
import { loadJson, storeValue } from "../journal/outputs.ts";
import { editedLoops, outdatedSteps, stepsAt, unhandledFailures, waitingPaths } from "../run/rerun.ts";
import { stepsFrom } from "../graph/selection.ts";
import { createDecide } from "./decide.ts";
import type { CancelledTask, EngineStore, TaskState } from "../store.ts";
import type { EngineTask } from "./engine-task.ts";
import type { RetryRequest } from "./engine-task.ts";
import { TASK_LANE } from "../worker/lane.ts";
import type { StepError, Task } from "./task.ts";
import type { TraceEnd } from "./trace-end.ts";

/** A single write for thousands of tasks would block the event loop. */
const TREE_WRITE_LIMIT = 200;
/** After a crash in the middle of a cancellation, which its caller knows to have failed, the task continues. */
const HOLD_MS = 30_000;

export interface TaskOperationsDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  accept(
    request: StartTask & { taskId?: string; entries?: StepEntry[]; replayed?: TaskTrace | undefined },
  ): Promise<Started>;
  /** The task may be able to continue. */
  wake(taskId: string): void;
  /** As `wake`, for a run of this process that has not read the request. */
  requestRetry(taskId: string, request: RetryRequest): void;
  /** Ended tasks may have made room for others of their workflow. */
  pollGroups(): void;
  /** Stops the runs of these tasks in this process. */
  abort(taskIds: readonly string[]): void;
  settled(taskId: string, timeoutMs: number): Promise<TaskWithSteps>;
  listMembers(ownerId: string): Promise<Member[]>;
  publish(taskId: string, event: TaskEvent): void;
  observer: RunObserver | undefined;
  traceEnd: TraceEnd | undefined;
}

/** Operations on existing tasks: cancel, decide, rerun, resume, replay. */
export function createTaskOperations(deps: TaskOperationsDeps): Pick<
  Engine,
  "cancel" | "cancelled" | "decide" | "resendApprovalEmails" | "rerunFromFailed" | "replay" | "retryNow"
> & {
  resume(taskId: string): Promise<void>;
  /** Fails a task that started too many others, and cancels these. */
  failTree(rootTaskId: string, error: StepError): Promise<void>;
  /** Cancels the tasks that this one started, because it is about to fail. */
  cancelDescendants(task: EngineTask): Promise<void>;
} {
  const { store, blobs, clock } = deps;
  const failingTrees = new Set<string>();

  async function stateOf(taskId: string): Promise<TaskState> {
    const state = await store.state(taskId);
    if (state === undefined) throw notFound("task", taskId);
    return state;
  }

  function cancelled(tasks: readonly CancelledTask[]): void {
    deps.abort(tasks.map(({ taskId }) => taskId));
    for (const { taskId, lane, trigger, entry } of tasks) {
      deps.publish(taskId, { seq: entry.seq, entry });
      if (lane === TASK_LANE) deps.observer?.runEnded(trigger, entry.status);
      deps.traceEnd?.(taskId, entry.status, entry.error);
    }
    if (tasks.length > 0) deps.pollGroups();
  }

  async function cancelDescendants(task: Pick<EngineTask, "id" | "epoch">): Promise<void> {
    for (;;) {
      const ended = await store.cancelDescendants(task, TREE_WRITE_LIMIT, clock.now());
      cancelled(ended);
      if (ended.length < TREE_WRITE_LIMIT) return;
    }
  }

  return {
    cancelled,
    async cancel(taskId) {
      const held = await store.hold(taskId, TREE_WRITE_LIMIT, clock.now() + HOLD_MS);
      if (held !== undefined) {
        deps.abort([taskId]);
        await cancelDescendants(held);
      }
      const ended = await store.cancel(taskId, clock.now());
      cancelled(ended);
      const { parentTaskId } = await stateOf(taskId);
      if (ended.length > 0 && parentTaskId !== null) deps.wake(parentTaskId);
      return ended.length > 0;
    },

    async failTree(rootTaskId, error) {
      if (failingTrees.has(rootTaskId)) return;
      failingTrees.add(rootTaskId);
      try {
        for (;;) {
          const ended = await store.failTree(rootTaskId, error, TREE_WRITE_LIMIT, clock.now());
          if (ended.length === 0) return;
          cancelled(ended);
        }
      } finally {
        failingTrees.delete(rootTaskId);
      }
    },

    cancelDescendants,

    decide: createDecide({
      ...deps,
      async handlesRejection({ taskId, path }) {
        const task = await stateOf(taskId);
        const graph = deps.compiled(
          await deps.loadWorkflow(task.workflowId, task.workflowVersion),
          undefined,
        );
        return stepsAt(graph, path).some(handlesFailure);
      },
    }),

    async resendApprovalEmails(taskId, path) {
      if (!(await store.requestNotices(taskId, path, clock.now()))) return false;
      deps.wake(taskId);
      return true;
    },

    async retryNow(taskId, path) {
      const [newest] =
        path === undefined ? [] : await store.attempts(taskId, path, Number.MAX_SAFE_INTEGER, 1);
      const waits = path === undefined || newest?.kind === "attempt";
      const request: RetryRequest = { ...(path === undefined ? {} : { path }), at: clock.now() };
      if (!waits || !(await store.requestRetry(taskId, request)))
        throw new AppError("task_not_waiting", "No retry is waiting: the step is running or has ended.");
      deps.requestRetry(taskId, request);
    },

    async rerunFromFailed(taskId, workflow) {
      const task = await stateOf(taskId);
      const notFailed = new AppError(
        "task_not_failed",
        `Only a failed task can be rerun; this one is ${task.status}.`,
      );
      if (task.status !== "failed") throw notFailed;
      const reopened = await reopen(task, workflow);
      if (reopened === undefined) throw notFailed;
      const { cleared, keptSteps, changedSteps } = reopened;
      const rerunFromStep = task.error?.stepId ?? cleared[0] ?? "";
      return { rerunFromStep, status: "running", keptSteps, changedSteps };
    },

    async resume(taskId) {
      const task = await stateOf(taskId);
      // Another caller may have resumed it first: then it is running.
      if (task.status === "failed" || task.status === "cancelled") await reopen(task);
    },

    async replay(taskId, { fromStepId, input, workflow: given, beforeOtherInput }: Replay) {
      const task = await store.task(taskId);
      if (task === undefined) throw notFound("task", taskId);
      const workflow = given ?? (await deps.loadWorkflow(task.workflowId, task.workflowVersion));
      const { stepIds, outputs = {} } = task.options ?? {};
      if (input !== undefined && (fromStepId ?? stepIds) !== undefined) beforeOtherInput?.();
      const request: StartTask & { replayed: TaskTrace | undefined } = {
        // A built-in workflow has no owner: the new task belongs to the owner of the replayed one.
        workflow: { ...workflow, ownerId: task.ownerId },
        // A test of single steps stays one: it is left out of statistics, and its failure starts no error workflow.
        trigger: stepIds === undefined ? "manual" : "partial",
        input: input ?? task.input,
        inputUnchecked: input === undefined,
        request: task.options?.request,
        conversation: task.options?.conversation,
        parentTaskId: taskId,
        replayed: task.options?.trace,
        selection: stepIds === undefined ? undefined : { stepIds, outputs },
      };
      const graph = deps.compiled(workflow, stepIds);
      const first = fromStepId ?? stepIds?.find((id) => graph.steps.has(id)) ?? stepIds?.[0];
      if (first !== undefined && !graph.steps.has(first)) {
        const where = stepIds === undefined ? "The workflow" : "This version of the partial run";
        throw new AppError("unknown_step", `${where} has no step ${first}.`);
      }
      if (fromStepId === undefined) return deps.accept(request);
      const newId = createId("task", clock.now());
      const again = new Set(stepsFrom(workflow.graph, fromStepId));
      const entries = await kept(task, graph, again, newId);
      return deps.accept({ ...request, taskId: newId, entries });
    },
  };

  /** Clears the failed steps and makes the task due; undefined when the task is no longer ended. */
  async function reopen(
    task: TaskState,
    workflow?: RunnableWorkflow,
  ): Promise<{ cleared: string[]; keptSteps: string[]; changedSteps: string[] } | undefined> {
    const heads = await store.heads(task.id);
    const memory = fold(heads);
    const ran = await deps.loadWorkflow(task.workflowId, task.workflowVersion);
    // Failures that the graph of the run does not handle, and those that the new version does not handle.
    const graphs = [ran, workflow ?? ran].map((each) => deps.compiled(each, task.options?.stepIds));
    const cleared = [...new Set(graphs.flatMap((graph) => unhandledFailures(memory, graph)))];
    // The cancellation also closed the approvals that the task waited for.
    if (task.status === "cancelled") cleared.push(...waitingPaths(memory));
    const isOpen = (path: string) => cleared.includes(path) || memory.get(path)?.ended === undefined;
    const isCompleted = (path: string) =>
      memory.get(path)?.ended?.status === "completed" && !cleared.includes(path);
    const outdated = workflow === undefined ? [] : outdatedSteps(ran.graph, workflow.graph);
    const changedSteps = outdated.filter(isCompleted);
    const restarts = (stepId: string) => traitsOf(graphs[1]!.steps.get(stepId)?.type).startsTasks === true;
    const restarted = [
      ...(workflow === undefined ? [] : editedLoops(ran.graph, workflow.graph).filter(isOpen)),
      ...changedSteps.filter(restarts),
    ];
    // Also those that were skipped: the step before them may take another branch.
    cleared.push(
      ...outdated.filter(
        (id) => memory.get(id)?.ended !== undefined && !cleared.includes(id) && !restarts(id),
      ),
    );
    const keptSteps = [...graphs[1]!.steps.keys()].filter((id) => isCompleted(id) && !restarted.includes(id));
    const now = clock.now();
    const seq = (heads.at(-1)?.seq ?? 0) + 1;
    const entry: RerunEntry = {
      seq,
      kind: "rerun",
      status: "queued",
      cleared,
      ...(restarted.length === 0 ? {} : { restarted }),
      at: now,
    };
    if (!(await store.reopen(task.id, task.status, entry, workflow?.version ?? task.workflowVersion, now)))
      return undefined;
    deps.publish(task.id, { seq: entry.seq, entry });
    deps.wake(task.id);
    return { cleared, keptSteps, changedSteps };
  }

  /** The results copied to a replay: those of every step that has ended and does not run again. */
  async function kept(
    task: Task,
    graph: CompiledGraph,
    again: ReadonlySet<string>,
    newId: string,
  ): Promise<StepEntry[]> {
    const ended = new Map<string, StepEntry>();
    for (const entry of await store.entries(task.id, 0, Number.MAX_SAFE_INTEGER)) {
      if (entry.kind !== "step") continue;
      // Iterations of a foreach are part of its output.
      const step = graph.steps.get(entry.path);
      if (step === undefined || again.has(step.id)) continue;
      if (entry.status === "failed" && !handlesFailure(step)) ended.delete(entry.path);
      else ended.set(entry.path, entry);
    }
    const entries: StepEntry[] = [];
    for (const entry of ended.values()) {
      // A copy: pruning the old task must not delete results of the new one.
      const stored =
        entry.outputRef === null ? {} : await storeValue(newId, await loadJson(entry, blobs), blobs);
      entries.push({ ...entry, ...stored, seq: entries.length + 1 });
    }
    return entries;
  }
}
