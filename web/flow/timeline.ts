/** Percent of the time scale. */
export interface Span {
  left: number;
  width: number;
}

/** Milliseconds since 1970, by the clock of the service. */
export interface TimeScale {
  start: number;
  end: number;
}

/** Percent; shorter bars would be invisible. */
const MIN_WIDTH = 0.4;
const MIN_WAIT_MS = 60_000;

/** What the scale must show of a step. */
export interface Timed {
  startedAt: number | null;
  endedAt: number | null;
  isWaiting: boolean;
}

/**
 * One linear scale for all rows. It ends now while a step runs. While the run only waits, it ends after at most twice the
 * time of the work so far: an approval pending for three days would shrink all other bars to nothing.
 */
export function timeScale(start: number, steps: Iterable<Timed>, now: number | undefined): TimeScale {
  let worked = start;
  let runs = false;
  let waits = false;
  for (const { startedAt, endedAt, isWaiting } of steps) {
    if (startedAt === null) continue;
    worked = Math.max(worked, endedAt ?? startedAt);
    if (endedAt === null && isWaiting) waits = true;
    else if (endedAt === null) runs = true;
  }
  let end = worked;
  if (now !== undefined && runs) end = now;
  else if (now !== undefined && waits)
    end = Math.min(now, worked + Math.max(MIN_WAIT_MS, 2 * (worked - start)));
  return { start, end: Math.max(end, start + 1) };
}

export function spanOf({ start, end }: TimeScale, from: number, to: number): Span {
  const percent = (at: number): number =>
    ((Math.min(Math.max(at, start), end) - start) / (end - start)) * 100;
  const width = Math.max(percent(to) - percent(from), MIN_WIDTH);
  return { left: Math.min(percent(from), 100 - width), width };
}

const STEPS_MS = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1000, 10_000].map((unit) => digit * unit));
const LONG_STEPS_MS = [
  30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];
const MAX_TICKS = 6;

/** Round times on the scale, as milliseconds after its start. */
export function ticksOf({ start, end }: TimeScale): number[] {
  const total = end - start;
  const steps = [...STEPS_MS, ...LONG_STEPS_MS].toSorted((a, b) => a - b);
  const step = steps.find((ms) => total / ms <= MAX_TICKS) ?? Math.ceil(total / MAX_TICKS);
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step);
}

export interface Segment extends Span {
  kind: "ok" | "bad" | "run" | "wait" | "gap";
}

export interface Bar {
  status: string;
  startedAt: number | null;
  endedAt: number | null;
}

export interface AttemptTimes {
  status: "completed" | "failed";
  startedAt: number | null;
  endedAt: number;
}

/** The bar of a step: its attempts with the pauses between them, or one part from start to end. */
export function segmentsOf(
  scale: TimeScale,
  { status, startedAt, endedAt }: Bar,
  attempts: readonly AttemptTimes[],
  isWait: boolean,
): Segment[] {
  if (startedAt === null || status === "skipped") return [];
  const end = endedAt ?? scale.end;
  if (attempts.length < 1 || (attempts.length === 1 && endedAt !== null))
    return [{ kind: kindOf(status, isWait), ...spanOf(scale, startedAt, end) }];
  const segments: Segment[] = [];
  let last = startedAt;
  for (const attempt of attempts.toSorted((a, b) => a.endedAt - b.endedAt)) {
    const from = attempt.startedAt ?? last;
    if (segments.length > 0) segments.push({ kind: "gap", ...spanOf(scale, last, from) });
    segments.push({
      kind: attempt.status === "failed" ? "bad" : "ok",
      ...spanOf(scale, from, attempt.endedAt),
    });
    last = attempt.endedAt;
  }
  if (endedAt === null)
    segments.push({ kind: status === "running" ? "run" : "gap", ...spanOf(scale, last, end) });
  return segments;
}

function kindOf(status: string, isWait: boolean): Segment["kind"] {
  if (isWait || status === "waiting" || status === "waiting_approval") return "wait";
  if (status === "failed") return "bad";
  return status === "completed" ? "ok" : "run";
}
