/** Percent of the time scale. */
export interface Span {
  left: number;
  width: number;
}

/** Idle time that is drawn shorter than it was. */
export interface Break {
  from: number;
  to: number;
}

/** Milliseconds since 1970, by the clock of the service. */
export interface TimeScale {
  start: number;
  end: number;
  /** In order, and never at the end. */
  breaks: readonly Break[];
  /** The time that each break takes on the scale. */
  breakMs: number;
}

/** Percent; shorter bars would be invisible. */
const MIN_WIDTH = 0.4;
const MIN_WAIT_MS = 60_000;
const MIN_BREAK_MS = 10_000;
/** Share of the time worked. */
const BREAK_SHARE = 0.12;

const WAIT_TYPES: ReadonlySet<string> = new Set(["approval", "delay", "wait_event"]);

/** A step of this type does nothing but wait. */
export function isWaitType(type: string): boolean {
  return WAIT_TYPES.has(type);
}

/** What the scale must show of a step. */
export interface Timed {
  startedAt: number | null;
  endedAt: number | null;
  isWaiting: boolean;
  /** The type only waits: its time counts as idle after its end, too. */
  isWait?: boolean;
}

/**
 * One scale for all rows, linear but for its breaks: idle time that would shrink all bars to nothing, such as an approval
 * that took three days. It ends now while a step runs. While the run only waits, it ends after at most twice the time of
 * the work so far.
 */
export function timeScale(start: number, steps: Iterable<Timed>, now: number | undefined): TimeScale {
  let last = start;
  let runs = false;
  let waits = false;
  const work: Break[] = [];
  for (const { startedAt, endedAt, isWaiting, isWait = false } of steps) {
    if (startedAt === null) continue;
    last = Math.max(last, endedAt ?? startedAt);
    if (endedAt === null && isWaiting) waits = true;
    else if (endedAt === null) runs = true;
    if (!isWait && !(endedAt === null && isWaiting))
      work.push({ from: startedAt, to: endedAt ?? now ?? startedAt });
  }
  const { gaps, workedMs } = idleTimes(start, last, work);
  let end = last;
  if (now !== undefined && runs) end = Math.max(now, last);
  else if (now !== undefined && waits) end = Math.min(now, last + Math.max(MIN_WAIT_MS, 2 * workedMs));
  const breaks = gaps.filter(({ from, to }) => to - from > Math.max(MIN_BREAK_MS, 2 * workedMs));
  const rest = end - start - breaks.reduce((sum, { from, to }) => sum + to - from, 0);
  return { start, end: Math.max(end, start + 1), breaks, breakMs: Math.max(1, rest * BREAK_SHARE) };
}

/** The times between `start` and `end` in which nothing worked. */
function idleTimes(start: number, end: number, work: readonly Break[]): { gaps: Break[]; workedMs: number } {
  const gaps: Break[] = [];
  let busyUntil = start;
  for (const { from, to } of [...work.toSorted((a, b) => a.from - b.from), { from: end, to: end }]) {
    if (from > busyUntil) gaps.push({ from: busyUntil, to: from });
    busyUntil = Math.max(busyUntil, to);
  }
  const idleMs = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return { gaps, workedMs: Math.max(0, busyUntil - start - idleMs) };
}

/** Milliseconds from the start of the scale, with every break as long as it is drawn. */
function offsetOf({ start, end, breaks, breakMs }: TimeScale, time: number): number {
  const at = Math.min(Math.max(time, start), end);
  let offset = at - start;
  for (const { from, to } of breaks) {
    if (at <= from) break;
    const idle = Math.min(at, to) - from;
    offset += (idle / (to - from)) * breakMs - idle;
  }
  return offset;
}

export function spanOf(scale: TimeScale, from: number, to: number): Span {
  const total = offsetOf(scale, scale.end);
  const percent = (at: number): number => (offsetOf(scale, at) / total) * 100;
  const width = Math.max(percent(to) - percent(from), MIN_WIDTH);
  return { left: Math.min(percent(from), 100 - width), width };
}

const STEPS_MS = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1000, 10_000].map((unit) => digit * unit));
const LONG_STEPS_MS = [
  30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];
const MAX_TICKS = 6;

/** Round times on the scale up to its first break, as milliseconds after its start. */
export function ticksOf(scale: TimeScale): number[] {
  const total = offsetOf(scale, scale.end);
  const steps = [...STEPS_MS, ...LONG_STEPS_MS].toSorted((a, b) => a - b);
  const step = steps.find((ms) => total / ms <= MAX_TICKS) ?? Math.ceil(total / MAX_TICKS);
  const last = (scale.breaks[0]?.from ?? scale.end) - scale.start;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
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
