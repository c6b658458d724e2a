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

export function toIso(timestampMs: number): string {
  return new Date(timestampMs).toISOString();
}
