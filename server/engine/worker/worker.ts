import type { BlobStore } from "../../lib/blob-store.ts";
import type { Clock } from "../../lib/clock.ts";
import { createDeadline } from "../../lib/deadline.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import { withStorageRetry } from "../journal/retry-while-storage-unavailable.ts";
import { createLargeOutputs } from "../journal/outputs.ts";
import type { Budgets } from "../run/budgets.ts";
import type { LargeValues } from "../run/large-values.ts";
import type { ControlStep, ErrorOwners, EvaluateExpressions, RunDeps, Vault } from "../run/run.ts";
import type { RunTracing } from "../run-tracing.ts";
import type { StepRunner } from "../run/step-runner.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { RetryRequest } from "../tasks/engine-task.ts";
import type { FailTask } from "../tasks/fail-task.ts";
import type { StepError, Task } from "../tasks/task.ts";
import { createAcceptance } from "./accept.ts";
import { createClaims } from "./claims.ts";
import { createLane, type Lane, TASK_LANE } from "./lane.ts";
import { createLiveRuns } from "./live-runs.ts";
import { createRunGroups } from "./run-groups.ts";
import type { TaskLimitsDeps } from "./task-limits.ts";
import { createParkedRuns } from "./parked-runs.ts";
import { createWork, type Work } from "./work.ts";

export interface WorkerDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  cluster: Pick<
    Cluster,
    | "workerId"
    | "peerId"
    | "hasPeers"
    | "holdsLease"
    | "mayClaim"
    | "reportPossibleOrphan"
    | "workIsDue"
    | "taskChanged"
  >;
  runners: ReadonlyMap<string, StepRunner>;
  controls: Readonly<Record<string, ControlStep>> | undefined;
  vault: Vault;
  evaluate: EvaluateExpressions;
  approvalUrl: RunDeps["approvalUrl"];
  listMembers: RunDeps["listMembers"];
  resumeUrl: RunDeps["resumeUrl"];
  fileItems?: RunDeps["fileItems"];
  errorOwners: ErrorOwners;
  budgets: Budgets;
  largeValues: LargeValues;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  /** Slots by lane. */
  laneLimits: Readonly<Record<string, number>>;
  limits: TaskLimitsDeps["limits"];
  tracing: RunTracing | undefined;
  onError(error: unknown, what: string): void;
}

/** What runs do to tasks, their own and others'. Connected by `start`, because tasks are built on the worker. */
export interface TasksOfRuns {
  state(taskId: string): Promise<Omit<Task, "input">>;
  resume(taskId: string): Promise<void>;
  cancel(taskId: string): Promise<boolean>;
  cancelDescendants(task: EngineTask): Promise<void>;
  failTree(rootTaskId: string, error: StepError): Promise<void>;
  failTask: FailTask;
  recorded: RunDeps["recorded"];
  stepStarted: RunDeps["began"];
  stepLogged: RunDeps["logged"];
  runStarted(taskId: string): void;
}

/** The depth of a run that waits for its slot: what has begun ends before new tasks start. */
const BEFORE_NEW_TASKS = Number.POSITIVE_INFINITY;

export type Worker = ReturnType<typeof createWorker>;

/** Accepts tasks, claims due ones lane by lane, and runs them. */
export function createWorker(deps: WorkerDeps) {
  const { store, blobs, clock, cluster, compiled, loadWorkflow, onError } = deps;
  const live = createLiveRuns();
  const parked = createParkedRuns();
  const claims = createClaims(store);
  // The one late binding of the engine: runs need `tasks`, which needs this worker. Nothing runs before `start`.
  let work: Work = () => Promise.reject(new Error("The worker has not been started."));
  const run: Work = (task, fresh) => work(task, fresh);
  let failTree: TasksOfRuns["failTree"] = () => Promise.resolve();
  let cancelTask: TasksOfRuns["cancel"] = () => Promise.resolve(false);

  const ownerShare = (ownerId: string): number =>
    ownerShareOf(deps.limits.max("running_tasks", ownerId), deps.laneLimits[TASK_LANE] ?? 0);
  const lanes = new Map<string, Lane>();
  for (const [name, limit] of Object.entries(deps.laneLimits)) {
    const lane = createLane({
      name,
      limit,
      ownerShare,
      running: () => live.count(name),
      runningOf: (ownerId) => live.countOf(name, ownerId),
      mayClaim: cluster.mayClaim,
      hasPeers: cluster.hasPeers,
      store: {
        pollDue: store.pollDue,
        furtherDueOwners: store.furtherDueOwners,
        claimDue: (...[workerId, shares, now, itsLane]) =>
          claims.claimDue(workerId, shares, now, itsLane, parked.input),
      },
      workerId: cluster.workerId,
      clock,
      run: (task) => void run(task),
      onError,
    });
    lanes.set(name, lane);
  }
  const { slots, slotReleased } = lanes.get(TASK_LANE)!;
  const groups = createRunGroups({
    store,
    clock,
    limits: deps.limits,
    cancel: (taskId) => cancelTask(taskId),
    workIsDue() {
      pollAllLanes();
      cluster.workIsDue();
    },
    onError,
  });
  const { accept, startChild } = createAcceptance({
    enterGroup: groups.enter,
    store,
    clock,
    workerId: cluster.workerId,
    peerId: cluster.peerId,
    slots,
    run: (task, fresh) => void run(task, fresh),
    reportPossibleOrphan: cluster.reportPossibleOrphan,
    slotReleased,
    hasPeers: cluster.hasPeers,
    childrenHere: live.childrenOf,
    failTree: (rootTaskId, error) =>
      void failTree(rootTaskId, error).catch((failure: unknown) =>
        onError(failure, `failing task ${rootTaskId}`),
      ),
    workIsDue: cluster.workIsDue,
    compiled,
    limits: deps.limits,
    currentWorkflow: deps.currentWorkflow,
    tracing: deps.tracing,
  });

  function pollAllLanes(): void {
    for (const lane of lanes.values()) lane.poll();
  }

  /** The task may be able to continue: in its run here, from the queue of a lane, or in a peer. */
  function wake(taskId: string, lane?: string): void {
    const liveRun = live.get(taskId);
    if (liveRun !== undefined) return liveRun.wake();
    const its = lane === undefined ? undefined : lanes.get(lane);
    if (its === undefined) pollAllLanes();
    else its.poll();
    cluster.taskChanged(taskId);
    cluster.workIsDue(lane);
  }

  return {
    live,
    claims,
    accept,
    run,
    wake,
    requestRetry(taskId: string, request: RetryRequest): void {
      const liveRun = live.get(taskId);
      if (liveRun === undefined) wake(taskId);
      else liveRun.requestRetry(request);
    },
    pollAllLanes,
    pollLane: (name: string) => lanes.get(name)?.poll(),
    /** A task has ended outside a run: it may have made room for another one. */
    pollGroups: groups.poll,
    isClosed: () => slots.closed,
    slotUse: () =>
      Object.entries(deps.laneLimits).map(([lane, limit]) => ({ lane, limit, used: live.count(lane) })),

    start(tasks: TasksOfRuns): void {
      failTree = tasks.failTree;
      cancelTask = tasks.cancel;
      groups.poll();
      const runDeps: RunDeps = {
        // Writes of a run wait for disk space: the step is done, and only its record prevents a second execution.
        store: { ...store, decide: withStorageRetry(store.decide) },
        blobs: { ...blobs, put: withStorageRetry(blobs.put) },
        clock,
        runners: deps.runners,
        ...(deps.controls === undefined ? {} : { controls: deps.controls }),
        vault: deps.vault,
        evaluate: deps.evaluate,
        approvalUrl: deps.approvalUrl,
        listMembers: deps.listMembers,
        resumeUrl: deps.resumeUrl,
        fileItems: deps.fileItems,
        errorOwners: deps.errorOwners,
        budgets: deps.budgets,
        largeValues: deps.largeValues,
        largeOutputs: createLargeOutputs(),
        startChild: withStorageRetry(startChild),
        left: live.left,
        lendSlot(task) {
          const itsSlots = lanes.get(task.lane)?.slots;
          const takeBack = live.lendSlot(task, (signal) =>
            itsSlots === undefined || itsSlots.freeFor(task.ownerId) > 0
              ? undefined
              : itsSlots.waitFor(task.ownerId, BEFORE_NEW_TASKS, signal),
          );
          itsSlots?.serveWaiters();
          return takeBack;
        },
        resume: withStorageRetry(tasks.resume),
        cancel: withStorageRetry(async (taskId: string) => void (await tasks.cancel(taskId))),
        cancelDescendants: withStorageRetry(tasks.cancelDescendants),
        state: tasks.state,
        recorded(task, entries, change, finished) {
          // The entries are durable: a fault of a subscriber or of the messages to peers must not fail the run.
          try {
            tasks.recorded(task, entries, change, finished);
          } catch (error) {
            onError(error, `publishing entries of task ${task.id}`);
          }
          const ended = entries.at(-1)?.kind === "status";
          if (ended && task.parentTaskId !== null && task.parentStep !== null) wake(task.parentTaskId);
          if (ended && task.options?.isGrouped === true) groups.poll();
        },
        began: tasks.stepStarted,
        logged: tasks.stepLogged,
        holdsLease: cluster.holdsLease,
      };
      work = createWork({
        store,
        clock,
        live,
        parked,
        lanes,
        runDeps,
        loadWorkflow,
        compiled,
        onStarted: tasks.runStarted,
        isClosed: () => slots.closed,
        failTask: tasks.failTask,
        workIsDue: cluster.workIsDue,
        reportPossibleOrphan: cluster.reportPossibleOrphan,
        tracing: deps.tracing,
        onError,
      });
    },
    /** Claims nothing more, waits up to `graceMs` for runs to end, then stops them; their tasks are resumed elsewhere. */
    async drain(graceMs: number): Promise<void> {
      await Promise.all([groups.close(), ...[...lanes.values()].map((lane) => lane.close())]);
      const grace = createDeadline(graceMs);
      await Promise.race([live.allLeft(), grace.reached]).finally(() => grace.clear());
      live.abort();
    },
  };
}

/**
 * The part of the slots left by others that one owner may use. When the limit is half of the slots, one owner gets half,
 * a second one a quarter, and a slot stays free for the next one. The same part holds for every lane.
 */
function ownerShareOf(limit: number, slots: number): number {
  return limit === 0 || slots === 0 ? 1 : Math.min(1, limit / slots);
}
