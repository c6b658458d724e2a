import type { StepProgress } from "./run-progress.ts";

export interface WaterfallRow {
  stepId: string;
  status: string;
  /** Percent of the total duration. */
  left: number;
  width: number;
  durationMs: number | null;
  dueAt: string | null;
}

/** Percent; shorter steps would be invisible. */
const MIN_WIDTH = 0.6;

/**
 * Bars on one time scale from the first start to the last end; a running step extends to `now`. A waiting
 * step extends to the end without moving it: an approval pending for three days would shrink all other bars.
 */
export function waterfall(
  steps: Iterable<StepProgress>,
  now: number,
): { rows: WaterfallRow[]; totalMs: number } {
  const timed = [...steps].filter((step) => step.startedAt !== null);
  const starts = timed.map((step) => Date.parse(step.startedAt ?? ""));
  const knownEnds = timed.map(endOf(now));
  const first = starts.reduce((least, at) => Math.min(least, at), Infinity);
  const last = [...starts, ...knownEnds].reduce<number>((most, at) => Math.max(most, at ?? most), -Infinity);
  const ends = knownEnds.map((end) => end ?? last);
  if (timed.length === 0) return { rows: [], totalMs: 0 };
  const totalMs = Math.max(last - first, 1);
  const rows = timed.map((step, index): WaterfallRow => {
    const start = starts[index] ?? first;
    const end = Math.max(ends[index] ?? start, start);
    const width = Math.max(((end - start) / totalMs) * 100, MIN_WIDTH);
    return {
      stepId: step.stepId,
      status: step.status,
      left: Math.min(((start - first) / totalMs) * 100, 100 - width),
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
