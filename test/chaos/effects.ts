import type { History, HistoryEntry } from "./history.ts";

/** A step that reached the other server although the result of that execution was never recorded. */
export interface UnrecordedEffect {
  taskId: string;
  path: string;
  arrivedAt: number;
  /** When the same effect arrived again; undefined for the last arrival. */
  againAt: number | undefined;
  /** The result of the step had been recorded before: no crash explains that. */
  isAfterRecord: boolean;
  /** All arrivals of the effect and all records of its step, for the report. */
  arrivals: readonly number[];
  records: readonly number[];
}

/** A service on PostgreSQL records times by its estimate of the server's clock, arrivals have the time of this process. */
const CLOCKS_DIFFER_MS = 200;

/**
 * Every effect beyond the recorded attempts of its step, also those before a result was recorded. An arrival belongs to
 * the first record after it; of several arrivals before one record, the last one was recorded.
 */
export function unrecordedEffects(
  { entries }: History,
  arrivals: ReadonlyMap<string, readonly number[]>,
): UnrecordedEffect[] {
  const found: UnrecordedEffect[] = [];
  for (const [effect, times] of arrivals) {
    const separator = effect.indexOf(":");
    const [taskId, path] = [effect.slice(0, separator), effect.slice(separator + 1)];
    const records = (entries.get(taskId) ?? []).filter((entry) => isAttempt(entry) && entry.path === path);
    const unrecorded = times.toSorted((a, b) => a - b);
    for (const { at } of records) {
      const recorded = unrecorded.findLastIndex((time) => time <= at + CLOCKS_DIFFER_MS);
      if (recorded >= 0) unrecorded.splice(recorded, 1);
    }
    for (const arrivedAt of unrecorded) {
      const againAt = times.filter((time) => time > arrivedAt).toSorted((a, b) => a - b)[0];
      const isAfterRecord = records.some(({ kind, at }) => kind === "step" && at < arrivedAt);
      found.push({
        taskId,
        path,
        arrivedAt,
        againAt,
        isAfterRecord,
        arrivals: times,
        records: records.map(({ at }) => at),
      });
    }
  }
  return found;
}

function isAttempt({ kind, status }: HistoryEntry): boolean {
  return kind === "attempt" || (kind === "step" && status !== "skipped");
}

/** Why an effect could not be recorded. Everything else is a bug. */
export const explanations = ["killed", "taken over", "in flight"] as const;
export type Explanation = (typeof explanations)[number];

/** Splits effects into explained ones, by reason, and those that no crash explains. */
export function explainEffects(
  effects: readonly UnrecordedEffect[],
  explain: (effect: UnrecordedEffect) => Explanation | undefined,
  /** What is known about the task, for the report. */
  detailsOf: (taskId: string) => string = () => "",
): { explained: Record<Explanation, number>; unexplained: string[] } {
  const explained = { killed: 0, "taken over": 0, "in flight": 0 };
  const unexplained: string[] = [];
  for (const effect of effects) {
    const reason = explain(effect);
    if (reason === undefined) unexplained.push(describeEffect(effect) + detailsOf(effect.taskId));
    else explained[reason] += 1;
  }
  return { explained, unexplained };
}

function describeEffect(effect: UnrecordedEffect): string {
  const { taskId, path, arrivedAt, againAt, isAfterRecord, arrivals, records } = effect;
  const all = `arrivals ${arrivals.join(", ")}; records ${records.join(", ")}`;
  if (isAfterRecord)
    return `${taskId}: ${path} executed at ${arrivedAt}, after its result was recorded; ${all}`;
  const again = againAt === undefined ? "" : `, and again ${againAt - arrivedAt} ms later`;
  return `${taskId}: ${path} executed at ${arrivedAt}${again}: not recorded, and no crash explains it; ${all}`;
}

/** A kill of the only process between the effect and its record. */
export function explainByKills(
  kills: readonly { from: number; until: number }[],
): (effect: UnrecordedEffect) => Explanation | undefined {
  return ({ arrivedAt, againAt = Infinity, isAfterRecord }) =>
    !isAfterRecord && kills.some(({ from, until }) => arrivedAt <= until && againAt >= from)
      ? "killed"
      : undefined;
}
