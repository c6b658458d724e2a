import { systemClock } from "../../lib/clock.ts";

/** A clock that the test sets forward, as after a long wait. */
export function settableClock(aheadMs = 0) {
  const clock = {
    aheadMs,
    now: () => systemClock.now() + clock.aheadMs,
    monotonic: () => systemClock.monotonic() + clock.aheadMs,
  };
  return clock;
}

export const HOUR_MS = 3_600_000;
/** A delay that ends only when the test sets the clock forward, however slow the machine is. */
export const hourLongNap = { stepId: "nap", type: "delay", seconds: HOUR_MS / 1000 };
