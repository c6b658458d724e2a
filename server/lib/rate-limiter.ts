import type { Clock } from "./clock.ts";

export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the next window of this key begins. */
  resetInMs: number;
}

export interface RateLimiter {
  take(key: string): RateDecision | Promise<RateDecision>;
}

export const WINDOW_MS = 60_000;
const MAX_KEYS = 50_000;

/**
 * A limit per minute and key, in a window that opens with the key's first request. Entries are in the order of their
 * expiry, so expired ones are removed from the front without a timer. The map never exceeds `maxKeys`: a client that
 * invents keys evicts the oldest entries instead of filling the memory.
 */
export function createRateLimiter(perMinute: number, clock: Clock, maxKeys = MAX_KEYS): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();

  return {
    take(key) {
      const now = clock.monotonic();
      if (perMinute === 0) return { allowed: true, limit: 0, remaining: 0, resetInMs: 0 };
      sweep(now);
      let window = windows.get(key);
      if (window === undefined) {
        window = { count: 0, endsAt: now + WINDOW_MS };
        windows.set(key, window);
      }
      window.count += 1;
      return {
        allowed: window.count <= perMinute,
        limit: perMinute,
        remaining: Math.max(0, perMinute - window.count),
        resetInMs: window.endsAt - now,
      };
    },
  };

  function sweep(now: number): void {
    for (const [key, window] of windows) {
      if (window.endsAt > now && windows.size < maxKeys) return;
      windows.delete(key);
    }
  }
}
