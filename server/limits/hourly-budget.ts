import type { Clock } from "../lib/clock.ts";

const HOUR_MS = 3_600_000;

/** What each owner uses in an hour that begins with the first use. Counted in this process. */
export interface HourlyBudget {
  used(ownerId: string): number;
  add(ownerId: string, amount: number): void;
  /** Until the owner's hour ends. */
  resetInMs(ownerId: string): number;
}

export function createHourlyBudget(clock: Pick<Clock, "monotonic">): HourlyBudget {
  // In the order of their end, so that expired hours are removed from the front.
  const hours = new Map<string, { used: number; endsAt: number }>();

  function current(ownerId: string) {
    const now = clock.monotonic();
    for (const [id, { endsAt }] of hours) {
      if (endsAt > now) break;
      hours.delete(id);
    }
    return hours.get(ownerId);
  }

  return {
    used: (ownerId) => current(ownerId)?.used ?? 0,
    resetInMs: (ownerId) => (current(ownerId)?.endsAt ?? clock.monotonic()) - clock.monotonic(),
    add(ownerId, amount) {
      const hour = current(ownerId);
      if (hour === undefined) hours.set(ownerId, { used: amount, endsAt: clock.monotonic() + HOUR_MS });
      else hour.used += amount;
    },
  };
}
