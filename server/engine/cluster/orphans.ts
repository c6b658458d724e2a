import type { Clock } from "../../lib/clock.ts";
import type { Claims } from "../worker/claims.ts";
import type { EngineStore, EngineTask } from "../store.ts";

export interface OrphansDeps {
  store: Pick<EngineStore, "ownTasks" | "releaseTask">;
  workerId: string;
  clock: Clock;
  /** How often they are looked for. */
  everyMs: number;
  isLive(task: Owned): boolean;
  /** What a claim takes over is ours before we hear of it. */
  claims: Pick<Claims, "begun" | "haveReturned">;
  /** Some were given back: they are due, here or in another process. */
  onGivenBack(): void;
  onError(error: unknown): void;
}

type Owned = Pick<EngineTask, "id" | "epoch">;

export interface Orphans {
  /** This task may be one: the database failed us while it was ours. It is looked for soon. */
  expect(task: Owned): void;
  close(): void;
}

/** A database that has just failed gets a moment. */
const SOON_MS = 1000;

/**
 * Tasks that say they are worked on by this process while it does not: stored although their caller was told that they
 * could not be, or let go by a run that met a fault. Nobody would ever end them, so they are given back to the queue.
 * What is seen once may have been on its way; what is seen twice is a orphan.
 */
export function createOrphans(deps: OrphansDeps): Orphans {
  const { store, workerId, clock, everyMs, isLive, claims, onGivenBack, onError } = deps;
  let seen = new Map<string, number>();
  let claimsBefore = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function pollIn(ms: number): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void poll(), ms).unref();
  }

  async function poll(): Promise<void> {
    timer = undefined;
    try {
      if (claims.haveReturned(claimsBefore)) await releaseOrphans();
    } catch (error) {
      // At a stop the database may be closed before a look is over.
      if (!closed) onError(error);
    }
    pollIn(everyMs);
  }

  async function releaseOrphans(): Promise<void> {
    const orphans = (await store.ownTasks(workerId)).filter((task) => !isLive(task));
    const sure = orphans.filter(({ id, epoch }) => seen.get(id) === epoch);
    seen = new Map(orphans.map(({ id, epoch }) => [id, epoch]));
    claimsBefore = claims.begun();
    for (const task of sure) await store.releaseTask(task, clock.now());
    if (sure.length > 0) onGivenBack();
  }

  pollIn(everyMs);
  return {
    expect({ id, epoch }) {
      seen.set(id, epoch);
      // While a look is under way the next one comes by itself.
      if (timer !== undefined) pollIn(Math.min(SOON_MS, everyMs));
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
