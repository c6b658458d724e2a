import type { StepProgress } from "./run-progress.ts";

export interface WaterfallRow {
  stepId: string;
  status: string;
  /** Share of the whole, 0–100. */
  left: number;
  width: number;
  durationMs: number | null;
}

const NARROWEST = 0.6;

/** Bars on one scale from the first start to the last end; what has not ended reaches to now. */
export function waterfall(
  steps: Iterable<StepProgress>,
  now: number,
): { rows: WaterfallRow[]; totalMs: number } {
  const timed = [...steps].filter((step) => step.startedAt !== null);
  const starts = timed.map((step) => Date.parse(step.startedAt ?? ""));
  const ends = timed.map((step) => (step.endedAt === null ? now : Date.parse(step.endedAt)));
  const first = starts.reduce((least, at) => Math.min(least, at), Infinity);
  const last = ends.reduce((most, at) => Math.max(most, at), -Infinity);
  if (timed.length === 0) return { rows: [], totalMs: 0 };
  const whole = Math.max(last - first, 1);
  const rows = timed.map((step, index): WaterfallRow => {
    const start = starts[index] ?? first;
    const end = Math.max(ends[index] ?? start, start);
    const width = Math.max(((end - start) / whole) * 100, NARROWEST);
    return {
      stepId: step.stepId,
      status: step.status,
      left: Math.min(((start - first) / whole) * 100, 100 - width),
      width,
      durationMs: step.endedAt === null ? null : end - start,
    };
  });
  return { rows, totalMs: last - first };
}
