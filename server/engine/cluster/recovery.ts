import type { Clock } from "../../lib/clock.ts";
import type { CheckRun } from "./check-run.ts";
import type { Claims } from "../worker/claims.ts";
import { createLease, soleOwner } from "./lease.ts";
import type { LiveRuns } from "../worker/live-runs.ts";
import type { EngineStore, EngineTask } from "../store.ts";
import { createOrphans } from "./orphans.ts";
import { createQuarantine } from "./quarantine.ts";
import type { StepError } from "../tasks/task.ts";

export interface RecoveryDeps {
  store: EngineStore;
  clock: Clock;
  workerId: string;
  /** Set when several processes share the database. */
  leaseMs?: number;
  /** Whether this process takes up the work of others. */
  recovers: boolean;
  /** How long a process lives before it takes up what may have killed the ones before. */
  quarantineMs?: number;
  /** How often tasks are looked for that are ours and that nobody works on. */
  orphanCheckMs?: number;
  claims: Claims;
  live: LiveRuns;
  checkRun: CheckRun;
  work(task: EngineTask): Promise<void>;
  failTask(task: EngineTask, error: StepError): Promise<void>;
  /** Looks for due work in every lane. */
  poll(): void;
  /** Another process may have the place for what is due. */
  workIsDue(): void;
  onError(error: unknown, what: string): void;
}

/** A task that took its process down so often without getting any further is failed. */
const MAX_CRASHES = 3;
const QUARANTINE_MS = 3000;
const ORPHAN_CHECK_MS = 5000;

/** Whose tasks are whose, and what becomes of those that nobody works on. */
export function createRecovery(deps: RecoveryDeps) {
  const { store, clock, workerId, leaseMs, claims, live, checkRun, poll, onError } = deps;

  const quarantine = createQuarantine({
    settleMs: deps.quarantineMs ?? QUARANTINE_MS,
    claim: (taskId) => claims.claimQuarantined(workerId, taskId, clock.now()),
    work: deps.work,
    onError: (error) => onError(error, "taking up a task that was held back"),
  });
  const orphans = createOrphans({
    store,
    clock,
    workerId,
    claims,
    everyMs: deps.orphanCheckMs ?? ORPHAN_CHECK_MS,
    isLive: ({ id, epoch }) => live.get(id)?.epoch === epoch,
    onGivenBack() {
      poll();
      deps.workIsDue();
    },
    onError: (error) => onError(error, "looking for tasks that nobody works on"),
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
          recovers: deps.recovers,
          onRecovered: (result) => void takeBack(result).then(poll),
          onRegained: async () => void (await Promise.all(live.ids().map(checkRegained))),
          onTrusted: poll,
          onError: (error) => onError(error, "keeping the lease"),
        });

  /** Waiting for one that is being stored could take longer than the lease: it is given back as soon as it is. */
  function checkRegained(taskId: string): Promise<void> {
    const run = live.get(taskId);
    if (run === undefined || run.isPersisted) return checkRun(taskId);
    run.abort.abort();
    return Promise.resolve();
  }

  async function takeBack(recovered: Awaited<ReturnType<EngineStore["recover"]>>): Promise<void> {
    const message = `This task took the service down ${MAX_CRASHES} times without getting any further, so it was given up.`;
    for (const task of recovered.poisoned) await deps.failTask(task, { code: "poison_task", message });
    quarantine.add(recovered.quarantined);
  }

  return {
    holdsLease: lease.held,
    /** It may be ours, and nobody works on it. */
    reportPossibleOrphan: orphans.expect,
    /** Takes back what those before have left, and makes this process known to others. */
    async begin(): Promise<void> {
      if (leaseMs === undefined) await takeBack(await store.recover("all", MAX_CRASHES, clock.now()));
      await lease.begun;
    },
    /** From here on nothing is taken up any more; what is under way still needs the lease. */
    stop(): void {
      quarantine.close();
      orphans.close();
    },
    endLease: lease.close,
  };
}
