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

/** Most times of a task are in the same millisecond, so the last text is cached. */
export function toIso(timestampMs: number): string {
  if (timestampMs !== lastTimestampMs) {
    lastText = new Date(timestampMs).toISOString();
    lastTimestampMs = timestampMs;
  }
  return lastText;
}
