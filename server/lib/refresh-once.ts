import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** A process that dies during a refresh blocks it this long. */
export const REFRESH_LEASE_MS = 30_000;
/** Tokens are refreshed a little early: they travel, and clocks differ. */
export const REFRESH_EARLY_MS = 30_000;
const POLL_MS = 100;

export interface RefreshAttempt<T> {
  /** Returns newer tokens of another process, or takes the lease and refreshes; undefined while another process holds it. */
  attempt(): Promise<T | undefined>;
  /** The error when the lease was never free. */
  timedOut(): Error | Promise<Error>;
}

export type RefreshOnce<T> = (id: string, attempt: RefreshAttempt<T>) => Promise<T>;

/** Refreshes the tokens of an id once for all callers of this process, and one process at a time. */
export function createRefreshOnce<T>(clock: Clock): RefreshOnce<T> {
  const running = new Map<string, Promise<T>>();

  async function refresh({ attempt, timedOut }: RefreshAttempt<T>): Promise<T> {
    const deadline = clock.monotonic() + 2 * REFRESH_LEASE_MS;
    for (;;) {
      const tokens = await attempt();
      if (tokens !== undefined) return tokens;
      if (clock.monotonic() > deadline) throw await timedOut();
      await delay(POLL_MS);
    }
  }

  return (id, attempt) => {
    const current = running.get(id);
    if (current !== undefined) return current;
    const started = refresh(attempt).finally(() => running.delete(id));
    running.set(id, started);
    return started;
  };
}
