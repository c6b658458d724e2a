import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { serialize } from "../../lib/serialize-json.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow, Started } from "../engine-api.ts";
import { type AcceptTask, newTask, rootOf } from "./new-task.ts";
import { createOptimisticStart } from "./optimistic-start.ts";
import type { Slots } from "./slots.ts";
import { withCheckedInput } from "./checked-input.ts";
import { createTaskLimits, type TaskLimitsDeps } from "./task-limits.ts";
import { RunDropped } from "../journal/recorder.ts";
import type { RunTracing } from "../run-tracing.ts";
import { failureOf } from "../run/retry.ts";
import type { ChildOptions, Run } from "../run/run.ts";
import type { Accepted, EngineStore, NewTask, RunGroup } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import { groupOf } from "./run-groups.ts";
import type { StepError } from "../tasks/task.ts";
import type { FreshTask } from "./work.ts";

/**
 * A process with peers runs this many sub-workflows of one task itself, as many as a loop has at once by default. Further
 * ones are queued for whichever process has a slot: a loop of a hundred would fill one process while others are idle.
 */
const CHILDREN_HERE = 10;
/** Tasks of one owner that wait in memory for a slot: two loops of the highest concurrency. Further ones are queued. */
const MAX_WAITING = 200;

export interface AcceptDeps {
  store: EngineStore;
  clock: Clock;
  workerId: string;
  /** Under which peers reach this process. */
  peerId: string | null;
  slots: Slots;
  run(task: EngineTask, fresh: FreshTask): void;
  /** The insert failed but may have been stored: without a check its row would stay "running" forever. */
  reportPossibleOrphan(task: EngineTask): void;
  slotReleased(): void;
  /** Another process can take tasks that are queued. */
  hasPeers(): boolean;
  /** Runs in this process that a step of this task started. */
  childrenHere(taskId: string): number;
  /** Begins to fail a task that started too many others. */
  failTree(rootTaskId: string, error: StepError): void;
  enterGroup(task: NewTask, group: RunGroup): Promise<Accepted>;
  /** A task was queued: a peer may have a slot for it. */
  workIsDue(lane: string): void;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  limits: TaskLimitsDeps["limits"];
  /** The current version of a workflow of this owner. Throws when none exists. */
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
  tracing: RunTracing | undefined;
}

/** The process that accepts a task runs it at once, without a queue or a write in between. Over the limit it is queued. */
export function createAcceptance(deps: AcceptDeps) {
  const { store, clock, workerId, slots, run, currentWorkflow } = deps;
  const limits = createTaskLimits({ store, clock, limits: deps.limits });

  async function accept(given: AcceptTask): Promise<Started> {
    const request = withCheckedInput(given);
    const rootTaskId = rootOf(request);
    if (rootTaskId === null) deps.limits.assertNotSuspended(request.workflow.ownerId);
    else await countDescendant(rootTaskId);
    const { onlyComputes, readsRequest } = deps.compiled(request.workflow, request.selection?.stepIds);
    const json = serialize(request.input);
    const inputJson = typeof json === "string" ? json : await json;
    const group = request.workflow.settings === undefined ? undefined : groupOf(request, deps.limits);
    if (group !== undefined) return enterGroup(request, readsRequest, inputJson, group);
    // A task of pure steps ends before it could be handed to a queue.
    const hasSlot =
      (onlyComputes || !isForPeers(request)) && slots.canStart(request.workflow.ownerId, onlyComputes);
    const releaseSlot = hasSlot ? undefined : await waitForSlot(request);
    const runsHere = hasSlot || releaseSlot !== undefined;
    const task = create(request, readsRequest, inputJson, runsHere ? workerId : undefined);
    if (!runsHere && rootTaskId === null) await limits.queue(task.ownerId);
    const accepted = runsHere
      ? await start(task, request.workflow, !onlyComputes, releaseSlot)
      : await queue(task);
    // The task may be in memory for long, as its run.
    task.inputJson = undefined;
    if (!accepted.inserted) return existing(request, accepted);
    return { taskId: task.id, status: task.status, existing: false };
  }

  function isForPeers({ parentParks = false, parentTaskId }: AcceptTask): boolean {
    if (!parentParks || parentTaskId === undefined || !deps.hasPeers()) return false;
    return deps.childrenHere(parentTaskId) >= CHILDREN_HERE;
  }

  function create(
    request: AcceptTask,
    readsRequest: boolean,
    inputJson: string,
    owner: string | undefined,
  ): NewTask {
    const task = newTask(request, readsRequest, inputJson, clock.now(), owner);
    if (owner === undefined && request.isAwaited !== false) task.acceptedBy = deps.peerId;
    const trace = deps.tracing?.accept(request.replayed);
    if (trace !== undefined) task.options = { ...task.options, trace };
    return task;
  }

  /** It runs from the queue: only the write that stores it knows whether its group has room. */
  async function enterGroup(
    request: AcceptTask,
    readsRequest: boolean,
    inputJson: string,
    group: RunGroup,
  ): Promise<Started> {
    const task: NewTask = { ...create(request, readsRequest, inputJson, undefined), runAt: null };
    task.options = { ...task.options, isGrouped: true };
    const accepted = await deps.enterGroup(task, group);
    if (!accepted.inserted) return existing(request, accepted);
    slots.markFull();
    deps.slotReleased();
    return { taskId: task.id, status: task.status, existing: false };
  }

  /** At the limit the whole run fails at once: its other tasks could only meet the same limit. */
  async function countDescendant(rootTaskId: string): Promise<void> {
    try {
      await limits.descend(rootTaskId);
    } catch (error) {
      if (error instanceof AppError && error.code === "limit_reached")
        deps.failTree(rootTaskId, failureOf(error).error);
      throw error;
    }
  }

  /**
   * A sub-workflow or the task of an agent's tool waits in memory with its parent, which holds no slot: what has begun
   * ends before new work starts, and a loop does not park for each iteration. It is queued when a peer may run it, and
   * when too many wait already.
   */
  async function waitForSlot({
    workflow,
    depth = 0,
    waitLimit,
    parentParks = false,
  }: AcceptTask): Promise<(() => void) | undefined> {
    if (waitLimit === undefined || slots.waiting(workflow.ownerId) >= MAX_WAITING) return undefined;
    if (parentParks && deps.hasPeers()) return undefined;
    const limit = waitLimit();
    try {
      return await slots.waitFor(workflow.ownerId, depth, limit.signal);
    } catch (error) {
      // The process is stopping. That is not a failure of the step: the next process resumes it.
      throw slots.closed ? new RunDropped() : error;
    } finally {
      limit.clear();
    }
  }

  async function start(
    task: NewTask,
    workflow: RunnableWorkflow,
    holdsSlot: boolean,
    releaseReserved: (() => void) | undefined,
  ): Promise<Accepted> {
    const optimisticStart = createOptimisticStart(store, task);
    run(task, { workflow, entries: task.entries, optimisticStart, holdsSlot });
    // The run holds the slot from here on.
    releaseReserved?.();
    try {
      return await optimisticStart.accepted;
    } catch (error) {
      deps.reportPossibleOrphan(task);
      throw error;
    }
  }

  async function queue(task: NewTask): Promise<Accepted> {
    const accepted = await store.accept(task);
    if (accepted.inserted) {
      // Only after the insert: a poll before it has not seen the task.
      slots.markFull();
      deps.workIsDue(task.lane);
      deps.slotReleased();
    }
    return accepted;
  }

  /** An earlier call with the same idempotency key made the task: same body, same task; another body is a conflict, unless the key alone counts. */
  async function existing(
    request: AcceptTask,
    { taskId, bodyHash }: Extract<Accepted, { inserted: false }>,
  ): Promise<Started> {
    if (taskId === null) throw new RunDropped();
    const { idempotency } = request;
    if (idempotency !== undefined && !idempotency.matchesAnyBody && bodyHash !== idempotency.bodyHash) {
      throw new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was used before with a different body. Use a new key.",
      );
    }
    return { taskId, status: (await store.state(taskId))?.status ?? "queued", existing: true };
  }

  return {
    accept,
    /** The task of a sub-workflow step. Idempotent: a second call returns the same task. */
    async startChild(
      parent: Run,
      path: string,
      workflowId: string,
      input: JsonValue,
      { onParentEnd, waitLimit }: ChildOptions,
    ): Promise<string> {
      if (slots.closed) throw new RunDropped();
      const { taskId } = await accept({
        workflow: await currentWorkflow(parent.task.ownerId, workflowId),
        trigger: "workflow",
        input: parent.redactor === undefined ? input : await parent.redactor.valueInTurns(input),
        parentTaskId: parent.task.id,
        parentStep: path,
        rootTaskId: parent.task.rootTaskId ?? parent.task.id,
        waitLimit,
        parentParks: true,
        onParentEnd,
        conversation: parent.task.options?.conversation,
        depth: parent.task.depth + 1,
      });
      // A cancel of the parent during the insert may have missed this child.
      if (onParentEnd === "continue") return taskId;
      if (parent.stop.aborted && (await store.state(parent.task.id))?.status === "cancelled")
        await parent.deps.cancel(taskId);
      return taskId;
    },
  };
}
