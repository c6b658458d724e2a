import type { Clock } from "../lib/clock.ts";
import { type RateDecision, type RateLimiter, WINDOW_MS } from "../lib/rate-limiter.ts";
import type { Db, Statement } from "./db.ts";

const MAX_BLOCKED = 50_000;

/** A window that ends later than this was written before the clock was set back. Twice the window, to tolerate clock skew. */
const LONGEST_MS = 2 * WINDOW_MS;

const IS_OVER = `(rate_window.ends_at <= $now or rate_window.ends_at > cast($now as bigint) + ${LONGEST_MS})`;
/** A window starts with its first request, and restarts with the first request after its end. */
const COUNT = `
  insert into rate_window (name, key, count, ends_at) values ($name, $key, 1, cast($now as bigint) + ${WINDOW_MS})
  on conflict (name, key) do update set
    count = case when ${IS_OVER} then 1 else rate_window.count + 1 end,
    ends_at = case when ${IS_OVER} then excluded.ends_at else rate_window.ends_at end
  returning count, ends_at`;

/**
 * A fixed-window limit per key, shared by all processes on the same database. A key over its limit is remembered in
 * memory until its window ends, so a flood costs the database nothing.
 */
export function createSharedRateLimiter(
  db: Pick<Db, "batch">,
  name: string,
  perMinute: number,
  clock: Clock,
): RateLimiter {
  const blockedUntil = new Map<string, number>();
  let sweptAt = clock.now();

  function decision(count: number, endsAt: number, now: number): RateDecision {
    return {
      allowed: count <= perMinute,
      limit: perMinute,
      remaining: Math.max(0, perMinute - count),
      resetInMs: Math.max(0, endsAt - now),
    };
  }

  function block(key: string, endsAt: number): void {
    blockedUntil.delete(key);
    blockedUntil.set(key, endsAt);
    const [oldest] = blockedUntil.keys();
    if (blockedUntil.size > MAX_BLOCKED && oldest !== undefined) blockedUntil.delete(oldest);
  }

  return {
    async take(key) {
      if (perMinute === 0) return { allowed: true, limit: 0, remaining: 0, resetInMs: 0 };
      const now = clock.now();
      const until = blockedUntil.get(key);
      if (until !== undefined && until > now && until <= now + LONGEST_MS)
        return decision(perMinute + 1, until, now);
      const statements: Statement[] = [{ sql: COUNT, params: { name, key, now } }];
      if (now - sweptAt > WINDOW_MS) {
        sweptAt = now;
        statements.push({
          sql: "delete from rate_window where ends_at <= $now and name = $name",
          params: { now, name },
        });
      }
      // A request counted twice after a lost connection does no harm.
      const [[row] = []] = await db.batch(statements, { repeatable: true });
      const [count, endsAt] = [Number(row?.["count"]), Number(row?.["ends_at"])];
      if (count > perMinute) block(key, endsAt);
      return decision(count, endsAt, now);
    },
  };
}
