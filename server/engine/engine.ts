import type { Member } from "../../contract/approvers.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import type { Limits } from "../limits/limits.ts";
import { createCluster } from "./cluster/cluster.ts";
import type { Peers } from "./cluster/peers.ts";
import type { Engine, RunnableWorkflow } from "./engine-api.ts";
import { createGraphCache } from "./graph/graph-cache.ts";
import { createBudgets } from "./run/budgets.ts";
import type { RunObserver } from "./run-observer.ts";
import type { RunTracing } from "./run-tracing.ts";
import { createLinkId } from "./run/control/approval-notice.ts";
import { createLargeValues, LARGE_VALUE_SLOTS } from "./run/large-values.ts";
import type { ControlStep, ErrorOwners, EvaluateExpressions, FileItems, Vault } from "./run/run.ts";
import type { StepRunner } from "./run/step-runner.ts";
import type { EngineStore } from "./store.ts";
import type { EngineTask } from "./tasks/engine-task.ts";
import type { StepError } from "./tasks/task.ts";
import { createTasks } from "./tasks/tasks.ts";
import { TASK_LANE } from "./worker/lane.ts";
import { createWorker } from "./worker/worker.ts";

export interface EngineDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  /** Control steps in addition to the engine's own, by type. */
  controls?: Readonly<Record<string, ControlStep>>;
  vault: Vault;
  evaluate: EvaluateExpressions;
  /** The address of the page where a link decides an approval. */
  approvalUrl(linkId: string): string;
  /** The members of a workspace; without it, approvals cannot name approvers. */
  listMembers?(ownerId: string): Promise<Member[]>;
  /** The address that continues a waiting step. */
  resumeUrl(taskId: string, path: string): string;
  /** Reads the rows of files that loops iterate over. */
  fileItems?: FileItems;
  /** Owners whose account has an error workflow for all their runs; none by default. */
  errorOwners?: ErrorOwners;
  /** A version as it was stored, also of a workflow deleted since. */
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  /** The current version of a workflow of this owner. Throws when none exists. */
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
  /** Tasks that run at once; further ones are queued. With 0 this process only accepts. */
  concurrency: number;
  limits: Pick<Limits, "max" | "refuse" | "countRefusal" | "share" | "assertNotSuspended">;
  /** Further lanes with their number of slots. */
  lanes?: Readonly<Record<string, number>>;
  /** Ends what depends on a task before the task is failed; called again when a crash interrupts it. */
  beforeFail?(task: EngineTask, error: StepError): Promise<void>;
  /** Set when several processes share the database. */
  leaseMs?: number;
  peers?: Peers;
  /** Uptime before this process runs tasks that may have crashed earlier ones. */
  quarantineMs?: number;
  /** Interval of the check for tasks that are leased to this process but not running in it. */
  orphanCheckMs?: number;
  /** How long `close` lets runs continue before it releases their tasks. */
  closeGraceMs: number;
  /** For metrics. */
  observer?: RunObserver | undefined;
  tracing?: RunTracing | undefined;
  onError(error: unknown, what: string): void;
}

/** How far queued tasks are counted when their number is not limited. */
const MAX_COUNTED = 100_000;

/** Durable execution: accepts tasks, runs them, and recovers those that a crash interrupted. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, blobs, clock, loadWorkflow, onError } = deps;
  const compiled = createGraphCache();
  const { errorOwners = { has: () => false }, listMembers = () => Promise.resolve([]) } = deps;
  const cluster = createCluster({
    store,
    clock,
    peers: deps.peers,
    leaseMs: deps.leaseMs,
    slots: deps.concurrency,
    quarantineMs: deps.quarantineMs,
    orphanCheckMs: deps.orphanCheckMs,
    onError,
  });
  const worker = createWorker({
    store,
    blobs,
    clock,
    cluster,
    runners: deps.runners,
    controls: deps.controls,
    vault: deps.vault,
    evaluate: deps.evaluate,
    approvalUrl: deps.approvalUrl,
    listMembers,
    resumeUrl: deps.resumeUrl,
    fileItems: deps.fileItems,
    errorOwners,
    budgets: createBudgets(deps.limits),
    largeValues: createLargeValues(deps.limits.share({ share: "large_values", ...LARGE_VALUE_SLOTS })),
    loadWorkflow,
    currentWorkflow: deps.currentWorkflow,
    compiled,
    limits: deps.limits,
    laneLimits: { [TASK_LANE]: deps.concurrency, ...deps.lanes },
    tracing: deps.tracing,
    onError,
  });
  const tasks = createTasks({
    store,
    blobs,
    clock,
    cluster,
    worker,
    loadWorkflow,
    compiled,
    limits: deps.limits,
    listMembers,
    beforeFail: deps.beforeFail,
    errorOwners,
    observer: deps.observer,
    tracing: deps.tracing,
    onError,
  });
  const { reader, operations } = tasks;

  worker.start({
    state: reader.state,
    resume: operations.resume,
    cancel: operations.cancel,
    cancelDescendants: operations.cancelDescendants,
    failTree: operations.failTree,
    failTask: tasks.failTask,
    recorded: tasks.recorded,
    stepStarted: tasks.stepStarted,
    stepLogged: tasks.stepLogged,
    runStarted: tasks.runStarted,
  });
  const handlers = {
    live: worker.live,
    claims: worker.claims,
    run: worker.run,
    failTask: tasks.failTask,
    pollAllLanes: worker.pollAllLanes,
    pollLane: worker.pollLane,
    changedByPeer: tasks.changedByPeer,
  };
  await cluster.start(handlers);

  return {
    claimTasks: () => cluster.claimTasks(handlers),
    start: worker.accept,
    nudge: worker.wake,
    cancel: operations.cancel,
    cancelled: operations.cancelled,
    decide: operations.decide,
    decisions: (taskId, limit, before) => store.decisions(taskId, limit, before),
    approval: (taskId, path) => store.approval(taskId, path),
    linkApproval: (taskId, path, approver) =>
      approver === undefined
        ? store.linkApproval(taskId, path, createLinkId())
        : store.linkApprover(taskId, path, { linkId: createLinkId(), ...approver }),
    resendApprovalEmails: operations.resendApprovalEmails,
    rerunFromFailed: operations.rerunFromFailed,
    replay: operations.replay,
    retryNow: operations.retryNow,
    read: reader.read,
    settled: reader.settled,
    settledAs: reader.settledAs,
    attempts: reader.attempts,
    logs: reader.logs,
    loopItems: reader.loopItems,
    childOf: store.childId,
    lastSeq: store.lastSeq,
    outputsOf: reader.outputsOf,
    openOutput: reader.openOutput,
    openResult: reader.openResult,
    events: store.heads,
    watch: tasks.watch,
    usage: {
      running: (ownerId) => worker.live.countOf(TASK_LANE, ownerId),
      queued: (ownerId) =>
        store.countDue(ownerId, deps.limits.max("queued_tasks", ownerId) || MAX_COUNTED, clock.now()),
    },
    async stats() {
      const { due, oldestDueAt, stuck } = await store.backlog(clock.now(), deps.leaseMs);
      const oldestDueSeconds = oldestDueAt === null ? 0 : Math.max(0, clock.now() - oldestDueAt) / 1000;
      return { running: worker.live.ids().length, due, oldestDueSeconds, stuck, slots: worker.slotUse() };
    },
    async close() {
      cluster.stop();
      await worker.drain(deps.closeGraceMs);
      await cluster.leave();
    },
  };
}
