import type { Clock } from "../lib/clock.ts";
import { createThrottledBatches } from "../lib/throttled-batches.ts";
import { createMoveLoop } from "./move-loop.ts";
import type { MovedTeam, TeamSessionStore } from "./team-sessions.sql.ts";

export interface TeamSessionMovesDeps {
  store: TeamSessionStore;
  clock: Clock;
  onError(error: unknown): void;
}

/** A session that was accepted before the move may be stored a moment after it. */
const LATE_SESSIONS_MS = 60_000;
const BATCH = 50;
const FIRST_BATCHES = 3;

/** Moves the sessions of moved teams: the first ones at once, the others in the background, also after a crash. */
export function createTeamSessionMoves({ store, clock, onError }: TeamSessionMovesDeps) {
  const loop = createMoveLoop(workAll, onError);

  /** True while the former workspace has sessions. */
  async function work(team: MovedTeam, maxBatches: number): Promise<boolean> {
    const batches = createThrottledBatches(clock, loop.signal, { firstRows: BATCH, maxRows: BATCH });
    for (let moved = 0; moved < maxBatches; moved += 1)
      if ((await batches.run(() => store.moveBatch(team, BATCH))) === 0) break;
    await store.finish(team, clock.now() - LATE_SESSIONS_MS);
    return store.hasSessions(team);
  }

  async function workAll(): Promise<void> {
    for (const team of await store.listMoved()) await work(team, Infinity);
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
      if (hasMore) loop.poll();
      return hasMore;
    },
    start: loop.start,
    close: loop.close,
  };
}
