import type { ClaimedSchedule } from "./schedule-claims.sql.ts";

export interface PlannedRuns {
  /** Times to start a run for, oldest first. */
  starts: number[];
  /** The time whose run waits for the end of the previous one. */
  waitsFor: number | null;
  cancelsPrevious: boolean;
}

/** Applies the schedule's overlap policy to its due times. Runs that would start together overlap as well. */
export function planRuns(
  { overlap, waitingAt, previousRuns }: Pick<ClaimedSchedule, "overlap" | "waitingAt" | "previousRuns">,
  dueTimes: readonly number[],
): PlannedRuns {
  const times = waitingAt === null ? [...dueTimes] : [waitingAt, ...dueTimes];
  const plan: PlannedRuns = { starts: times, waitsFor: null, cancelsPrevious: false };
  switch (overlap) {
    case "allow":
      return plan;
    case "skip":
      return { ...plan, starts: previousRuns ? [] : times.slice(0, 1) };
    case "queue":
      // One run waits; later times are dropped while it does.
      return previousRuns
        ? { ...plan, starts: [], waitsFor: times[0] ?? null }
        : { ...plan, starts: times.slice(0, 1), waitsFor: times[1] ?? null };
    case "cancel_previous":
      return { ...plan, starts: times.slice(-1), cancelsPrevious: previousRuns && times.length > 0 };
  }
}
