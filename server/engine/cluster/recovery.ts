import type { Clock } from "../../lib/clock.ts";
import type { CheckRun } from "./check-run.ts";
import type { Claims } from "../worker/claims.ts";
import { createLease, soleOwner } from "./lease.ts";
import type { LiveRuns } from "../worker/live-runs.ts";
import type { EngineStore, EngineTask } from "../store.ts";
import { createStrays } from "./orphans.ts";
import { createSuspects } from "./quarantine.ts";
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
  suspectsWaitMs?: number;
  /** How often tasks are looked for that are ours and that nobody works on. */
  straysEveryMs?: number;
  claims: Claims;
  live: LiveRuns;
  checkRun: CheckRun;
  work(task: EngineTask): Promise<void>;
  giveUp(task: EngineTask, error: StepError): Promise<void>;
  /** Looks for due work in every lane. */
  look(): void;
  /** Another process may have the place for what is due. */
  workIsDue(): void;
  onError(error: unknown, what: string): void;
}

/** A task that took its process down so often without getting any further is failed. */
const MAX_LIVES = 3;
const SUSPECTS_WAIT_MS = 3000;
const STRAYS_EVERY_MS = 5000;

/** Whose tasks are whose, and what becomes of those that nobody works on. */
export function createRecovery(deps: RecoveryDeps) {
  const { store, clock, workerId, leaseMs, claims, live, checkRun, look, onError } = deps;

  const suspects = createSuspects({
    settleMs: deps.suspectsWaitMs ?? SUSPECTS_WAIT_MS,
    claim: (taskId) => claims.claimSuspect(workerId, taskId, clock.now()),
    work: deps.work,
    onError: (error) => onError(error, "taking up a task that was held back"),
  });
  const strays = createStrays({
    store,
    clock,
    workerId,
    claims,
    everyMs: deps.straysEveryMs ?? STRAYS_EVERY_MS,
    isLive: ({ id, epoch }) => live.get(id)?.epoch === epoch,
    onGivenBack() {
      look();
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
          maxLives: MAX_LIVES,
          recovers: deps.recovers,
          onRecovered: (result) => void takeBack(result).then(look),
          onRegained: async () => void (await Promise.all(live.ids().map(checkRegained))),
          onTrusted: look,
          onError: (error) => onError(error, "keeping the lease"),
        });

  /** Waiting for one that is being stored could take longer than the lease: it is given back as soon as it is. */
  function checkRegained(taskId: string): Promise<void> {
    const run = live.get(taskId);
    if (run?.isUnborn !== true) return checkRun(taskId);
    run.abort.abort();
    return Promise.resolve();
  }

  async function takeBack(recovered: Awaited<ReturnType<EngineStore["recover"]>>): Promise<void> {
    const message = `This task took the service down ${MAX_LIVES} times without getting any further, so it was given up.`;
    for (const task of recovered.poisoned) await deps.giveUp(task, { code: "poison_task", message });
    suspects.add(recovered.suspects);
  }

  return {
    holdsLease: lease.held,
    /** It may be ours, and nobody works on it. */
    letGo: strays.expect,
    /** Takes back what those before have left, and makes this process known to others. */
    async begin(): Promise<void> {
      if (leaseMs === undefined) await takeBack(await store.recover("all", MAX_LIVES, clock.now()));
      await lease.begun;
    },
    /** From here on nothing is taken up any more; what is under way still needs the lease. */
    stop(): void {
      suspects.close();
      strays.close();
    },
    endLease: lease.close,
  };
}
