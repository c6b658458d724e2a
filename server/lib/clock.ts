/** Time as a dependency, so that backoff and multi-day waits are tested without waiting. */
export interface Clock {
  /** Wall-clock milliseconds: what is stored and shown. */
  now(): number;
  /** Milliseconds that never jump: what leases and durations are measured with. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The time of a change that must be told apart from the one before it, also within one millisecond. */
export function laterThan(earlierMs: number, clock: Clock): number {
  return Math.max(clock.now(), earlierMs + 1);
}

let lastTimestampMs = 0;
let lastText = new Date(0).toISOString();

/** A task's times are mostly those of one millisecond: the text is kept for the next who asks for the same one. */
export function toIso(timestampMs: number): string {
  if (timestampMs !== lastTimestampMs) {
    lastText = new Date(timestampMs).toISOString();
    lastTimestampMs = timestampMs;
  }
  return lastText;
}
