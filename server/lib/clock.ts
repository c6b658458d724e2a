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

/** The last millisecond that a date can hold. */
const LAST_DATE_MS = 8.64e15;

const ENDS_OF_SECOND = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, "0")}Z`);
let secondMs = 0;
let secondText = "1970-01-01T00:00:00.";

/**
 * Most times of a call are in the same second, whose text is cached. A stored time beyond the last date is shown as the
 * last date: one such row must not fail the list that it is in.
 */
export function toIso(timestampMs: number): string {
  const dateMs = Math.min(timestampMs, LAST_DATE_MS);
  const end = ENDS_OF_SECOND[dateMs - secondMs];
  if (end !== undefined) return secondText + end;
  const text = new Date(dateMs).toISOString();
  secondMs = Math.floor(dateMs / 1000) * 1000;
  secondText = text.slice(0, -4);
  return text;
}
