/** Time as a dependency, so that backoff and multi-day waits are tested without waiting. */
export interface Clock {
  /** Wall-clock milliseconds, for times that are stored and shown. */
  now(): number;
  /** Milliseconds that never jump, for leases and durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A time later than `earlierMs`, so that two changes within one millisecond differ. */
export function laterThan(earlierMs: number, clock: Clock): number {
  return Math.max(clock.now(), earlierMs + 1);
}

let lastTimestampMs = 0;
let lastText = new Date(0).toISOString();

/** The last millisecond that a date can hold. */
const LAST_DATE_MS = 8.64e15;

/**
 * Most times of a task are in the same millisecond, so the last text is cached. A stored time beyond the last date is
 * shown as the last date: one such row must not fail the list that it is in.
 */
export function toIso(timestampMs: number): string {
  if (timestampMs !== lastTimestampMs) {
    lastText = new Date(Math.min(timestampMs, LAST_DATE_MS)).toISOString();
    lastTimestampMs = timestampMs;
  }
  return lastText;
}
