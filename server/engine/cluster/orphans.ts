import type { Clock } from "../../lib/clock.ts";
import type { Claims } from "../worker/claims.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";

type OwnedTask = Pick<EngineTask, "id" | "epoch">;

export interface OrphansDeps {
  store: Pick<EngineStore, "ownTasks" | "releaseTask">;
  workerId: string;
  clock: Clock;
  checkMs: number;
  onError(error: unknown): void;
}

export interface OrphanHandlers {
  isLive(task: OwnedTask): boolean;
  /** A claimed task is ours in the database before its claim returns here. */
  claims: Pick<Claims, "started" | "haveReturned">;
  /** Orphans were released: they are due, here or in a peer. */
  onReleased(): void;
}

export interface Orphans {
  start(handlers: OrphanHandlers): void;
  /** The database failed while this task was ours: check it soon. */
  report(task: OwnedTask): void;
  close(): void;
}

/** A database that has just failed gets this long to recover. */
const SOON_MS = 1000;

/**
 * Releases tasks that are leased to this process but not running in it: stored although their caller received an error,
 * or dropped by a run whose write failed. Without this they would stay "running" until the process ends. A task seen
 * once may be in flight; a task seen twice with the same epoch is an orphan.
 */
export function createOrphans({ store, workerId, clock, checkMs, onError }: OrphansDeps): Orphans {
  let seen = new Map<string, number>();
  let claimsBefore = 0;
  let timer: NodeJS.Timeout | undefined;
  let handlers: OrphanHandlers | undefined;
  let closed = false;

  function checkIn(ms: number): void {
    clearTimeout(timer);
    if (!closed && handlers !== undefined) timer = setTimeout(check, ms, handlers).unref();
  }

  function check(using: OrphanHandlers): void {
    timer = undefined;
    releaseOrphans(using)
      .catch((error: unknown) => {
        // During shutdown the database may close before a check ends.
        if (!closed) onError(error);
      })
      .finally(() => checkIn(checkMs));
  }

  async function releaseOrphans({ isLive, claims, onReleased }: OrphanHandlers): Promise<void> {
    // A claim that started before the last check may own such a task and has not returned yet.
    if (!claims.haveReturned(claimsBefore)) return;
    const idle = (await store.ownTasks(workerId)).filter((task) => !isLive(task));
    const orphans = idle.filter(({ id, epoch }) => seen.get(id) === epoch);
    seen = new Map(idle.map(({ id, epoch }) => [id, epoch]));
    claimsBefore = claims.started();
    for (const task of orphans) await store.releaseTask(task, clock.now());
    if (orphans.length > 0) onReleased();
  }

  return {
    start(given) {
      handlers = given;
      checkIn(checkMs);
    },
    report({ id, epoch }) {
      seen.set(id, epoch);
      // A check in progress schedules the next one itself.
      if (timer !== undefined) checkIn(Math.min(SOON_MS, checkMs));
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
