import type { Clock } from "../../lib/clock.ts";
import { createId } from "../../lib/ids.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { FailTask } from "../tasks/fail-task.ts";
import type { Claims } from "../worker/claims.ts";
import type { LiveRuns } from "../worker/live-runs.ts";
import { createLease, soleOwner } from "./lease.ts";
import { createOrphans } from "./orphans.ts";
import { type FinishedOf, noPeers, type Peers } from "./peers.ts";
import { createQuarantine } from "./quarantine.ts";

/** A task whose process crashed this often without progress in between is failed as `poison_task`. */
const MAX_CRASHES = 3;
const QUARANTINE_MS = 3000;
const ORPHAN_CHECK_MS = 5000;

export interface ClusterDeps {
  store: EngineStore;
  clock: Clock;
  peers: Peers | undefined;
  /** Set when several processes share the database. */
  leaseMs: number | undefined;
  /** Tasks that this process runs at once. */
  slots: number;
  quarantineMs: number | undefined;
  orphanCheckMs: number | undefined;
  onError(error: unknown, what: string): void;
}

/** What the cluster does with the runs of this process; connected by `start`. */
export interface ClusterHandlers {
  live: LiveRuns;
  claims: Claims;
  run(task: EngineTask): Promise<void>;
  failTask: FailTask;
  pollAllLanes(): void;
  pollLane(name: string): void;
  /** A peer changed these tasks: waiters and subscribers in this process read them again. */
  changedByPeer(taskIds: readonly string[] | "any", finished?: FinishedOf): void;
}

export type Cluster = ReturnType<typeof createCluster>;

/** Ownership of tasks: the lease of this process, recovery of abandoned tasks, and messages between processes. */
export function createCluster(deps: ClusterDeps) {
  const { store, clock, peers = noPeers, leaseMs, onError } = deps;
  const workerId = createId("worker", clock.now());
  const quarantine = createQuarantine({
    settleMs: deps.quarantineMs ?? QUARANTINE_MS,
    onError: (error) => onError(error, "running a quarantined task"),
  });
  const orphans = createOrphans({
    store,
    clock,
    workerId,
    checkMs: deps.orphanCheckMs ?? ORPHAN_CHECK_MS,
    onError: (error) => onError(error, "checking for orphaned tasks"),
  });
  const lease =
    leaseMs === undefined
      ? soleOwner
      : createLease({
          store,
          workerId,
          leaseMs,
          clock,
          maxCrashes: MAX_CRASHES,
          slots: deps.slots,
          onError: (error) => onError(error, "renewing the lease"),
        });
  let isClaiming = false;
  let stopListening: () => Promise<void> = () => Promise.resolve();

  /** Waiting for an insert in flight could outlast the lease: that run is aborted, and its task released once stored. */
  function checkRegained(live: LiveRuns, taskId: string): Promise<void> {
    const run = live.get(taskId);
    if (run === undefined || run.isPersisted) return checkRun(taskId, live, store);
    run.abort.abort();
    return Promise.resolve();
  }

  async function recover(
    { failTask }: ClusterHandlers,
    recovered: Awaited<ReturnType<EngineStore["recover"]>>,
  ): Promise<void> {
    const message = `The service crashed ${MAX_CRASHES} times while running this task, without progress in between. The task was failed.`;
    for (const task of recovered.poisoned) await failTask(task, { code: "poison_task", message });
    quarantine.add(recovered.quarantined);
  }

  return {
    workerId,
    /** Whether another process can run tasks of the same database. */
    hasPeers: lease.hasPeers,
    holdsLease: lease.held,
    /** A task claimed without the lease could only be released again. */
    mayClaim: () => isClaiming && lease.held(),
    reportPossibleOrphan: orphans.report,
    workIsDue: peers.workIsDue,
    peerId: peers.id,
    taskChanged: peers.taskChanged,
    taskRecorded: peers.taskRecorded,
    watch: peers.watch,

    /** Recovers what earlier processes left behind and joins the peers. Nothing runs before `claimTasks`. */
    async start(handlers: ClusterHandlers): Promise<void> {
      const { live, claims, pollAllLanes } = handlers;
      orphans.start({
        isLive: ({ id, epoch }) => live.get(id)?.epoch === epoch,
        claims,
        onReleased() {
          pollAllLanes();
          peers.workIsDue();
        },
      });
      const started = lease.start({
        // A poisoned task that could not be failed is returned again by the next recovery.
        onRecovered: (result) =>
          void recover(handlers, result)
            .catch((error: unknown) => onError(error, "failing a poisoned task"))
            .then(pollAllLanes),
        onRegained: async () => void (await Promise.all(live.ids().map((id) => checkRegained(live, id)))),
        onHeld: pollAllLanes,
      });
      if (leaseMs === undefined)
        await recover(handlers, await store.recover("all", MAX_CRASHES, clock.now()));
      await started;
      stopListening = await peers.listen({
        workIsDue(lanes) {
          if (lanes === "any") pollAllLanes();
          else for (const name of lanes) handlers.pollLane(name);
        },
        processes: lease.processes,
        tasksChanged(taskIds, finished) {
          handlers.changedByPeer(taskIds, finished);
          if (taskIds === "any") pollAllLanes();
          for (const taskId of taskIds === "any" ? live.ids() : taskIds) {
            checkRun(taskId, live, store).catch((error: unknown) =>
              onError(error, `checking task ${taskId}`),
            );
          }
        },
      });
    },
    claimTasks({ claims, run, pollAllLanes }: ClusterHandlers): void {
      isClaiming = true;
      quarantine.start({ claim: (taskId) => claims.claimQuarantined(workerId, taskId, clock.now()), run });
      pollAllLanes();
    },
    /** Recovers nothing from here on; runs in progress still need the lease. */
    stop(): void {
      quarantine.close();
      orphans.close();
    },
    /** Ends the lease and hands the tasks of this process to its peers. */
    async leave(): Promise<void> {
      lease.close();
      await store.release(workerId, clock.now());
      peers.workIsDue();
      await stopListening();
    },
  };
}

/** A run whose task was cancelled or claimed by a peer stops; one whose approval or child has ended continues. */
export async function checkRun(
  taskId: string,
  live: Pick<LiveRuns, "get">,
  store: Pick<EngineStore, "epoch">,
): Promise<void> {
  const run = live.get(taskId);
  if (run === undefined || !(await run.stored)) return;
  if ((await store.epoch(taskId)) === run.epoch) run.wake();
  else run.abort.abort();
}
