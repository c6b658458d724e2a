import type { StepProgress } from "./run-progress.ts";

export interface WaterfallRow {
  stepId: string;
  status: string;
  /** Share of the whole, 0–100. */
  left: number;
  width: number;
  durationMs: number | null;
  dueAt: string | null;
}

const MIN_WIDTH = 0.6;

/**
 * Bars on one scale from the first start to the last end; what runs reaches to now. What only waits reaches to the end
 * and does not move it: a question of three days would leave of everything else a line each.
 */
export function waterfall(
  steps: Iterable<StepProgress>,
  now: number,
): { rows: WaterfallRow[]; totalMs: number } {
  const timed = [...steps].filter((step) => step.startedAt !== null);
  const starts = timed.map((step) => Date.parse(step.startedAt ?? ""));
  const known = timed.map(endOf(now));
  const first = starts.reduce((least, at) => Math.min(least, at), Infinity);
  const last = [...starts, ...known].reduce<number>((most, at) => Math.max(most, at ?? most), -Infinity);
  const ends = known.map((end) => end ?? last);
  if (timed.length === 0) return { rows: [], totalMs: 0 };
  const whole = Math.max(last - first, 1);
  const rows = timed.map((step, index): WaterfallRow => {
    const start = starts[index] ?? first;
    const end = Math.max(ends[index] ?? start, start);
    const width = Math.max(((end - start) / whole) * 100, MIN_WIDTH);
    return {
      stepId: step.stepId,
      status: step.status,
      left: Math.min(((start - first) / whole) * 100, 100 - width),
      width,
      durationMs: step.endedAt === null ? null : end - start,
      dueAt: step.dueAt,
    };
  });
  return { rows, totalMs: last - first };
}

function endOf(now: number): (step: StepProgress) => number | undefined {
  return ({ endedAt, status }) => {
    if (endedAt !== null) return Date.parse(endedAt);
    return status === "waiting" || status === "waiting_approval" ? undefined : now;
  };
}
