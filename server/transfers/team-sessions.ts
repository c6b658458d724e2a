import type { Clock } from "../lib/clock.ts";
import { createSmallSteps } from "../lib/small-steps.ts";
import type { MovedTeam, TeamSessionStore } from "./team-sessions.sql.ts";

export interface TeamSessionMovesDeps {
  store: TeamSessionStore;
  clock: Clock;
  onError(error: unknown): void;
}

const POLL_MS = 30_000;
/** A session that was accepted before the move may be stored a moment after it. */
const LATE_SESSIONS_MS = 60_000;
const BATCH = 50;
const FIRST_BATCHES = 3;

/** Moves the sessions of moved teams: the first ones at once, the others in the background, also after a crash. */
export function createTeamSessionMoves({ store, clock, onError }: TeamSessionMovesDeps) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  /** True while the former workspace has sessions. */
  async function work(team: MovedTeam, maxBatches: number): Promise<boolean> {
    const steps = createSmallSteps(clock, stopping.signal, { firstRows: BATCH, maxRows: BATCH });
    for (let batches = 0; batches < maxBatches; batches += 1)
      if ((await steps.throttled(() => store.moveBatch(team, BATCH))) === 0) break;
    await store.finish(team, clock.now() - LATE_SESSIONS_MS);
    return store.hasSessions(team);
  }

  async function workAll(): Promise<void> {
    for (const team of await store.listMoved()) await work(team, Infinity);
  }

  function poll(): void {
    if (stopping.signal.aborted || timer === undefined) return;
    working ??= workAll()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => (working = undefined));
  }

  return {
    async advance(teamId: string): Promise<boolean> {
      const team = (await store.listMoved()).find((moved) => moved.teamId === teamId);
      if (team === undefined) return false;
      const hasMore = await work(team, FIRST_BATCHES).catch((error: unknown) => {
        // The team has moved; its sessions follow.
        onError(error);
        return true;
      });
      if (hasMore) poll();
      return hasMore;
    },
    start() {
      timer = setInterval(poll, POLL_MS).unref();
      poll();
    },
    async close() {
      stopping.abort();
      clearInterval(timer);
      await working;
    },
  };
}
