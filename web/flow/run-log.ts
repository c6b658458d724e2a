import type { LogLine } from "../../contract/step-log.ts";
import type { TaskStreamEvent } from "../../contract/task-events.ts";
import type { RunProgress } from "./run-progress.ts";

/** A line that a step wrote, by its path, such as `each[3]/fetch`. */
export interface StepLine extends LogLine {
  stepId: string;
  /** Absent for the attempt in progress. */
  attempt?: number;
}

/** A recorded event, or a log line of a step. */
export type LogRow = { key: string; at: string } & (
  | { event: TaskStreamEvent; line?: never }
  | { line: StepLine; event?: never }
);

/**
 * Events with the log lines of every ended attempt, and the lines that running steps have written so far, by time. Lines
 * after the last loaded event belong to a page that is not loaded yet.
 */
export function logRows(
  events: readonly TaskStreamEvent[],
  { steps }: RunProgress,
  hasMore: boolean,
): LogRow[] {
  const rows: LogRow[] = [];
  const recorded = new Set<string>();
  for (const [index, event] of events.entries()) {
    const { at = "" } = event;
    if ("logs" in event && event.logs !== undefined)
      for (const [number, line] of event.logs.entries()) {
        recorded.add(textOf(event.stepId, line));
        const { stepId, attempt } = event;
        rows.push({ key: `${index} ${number}`, at: line.at, line: { ...line, stepId, attempt } });
      }
    rows.push({ key: String(index), at, event });
  }
  const lastAt = hasMore ? (events.at(-1)?.at ?? "") : undefined;
  for (const { stepId, logs = [] } of steps.values())
    for (const [number, line] of logs.entries())
      if (!recorded.has(textOf(stepId, line)) && (lastAt === undefined || line.at <= lastAt))
        rows.push({ key: `${stepId} ${number}`, at: line.at, line: { ...line, stepId } });
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b));
}

function textOf(stepId: string, { at, message }: LogLine): string {
  return JSON.stringify([stepId, at, message]);
}

function timeOf({ at }: LogRow): number {
  return at === "" ? 0 : Date.parse(at);
}
