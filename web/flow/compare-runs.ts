import type { StepResult, Task } from "../api/types.ts";
import { duration } from "../ui/time.ts";
import { statusLabel } from "./status-label.ts";
import { withoutTimesAndIds } from "./text-diff.ts";

/** A value of both runs as text, and whether it is prose. */
export interface ComparedValue {
  before: string;
  after: string;
  isProse: boolean;
}

export interface StepDifference {
  stepId: string;
  before: StepResult | undefined;
  after: StepResult | undefined;
  differs: boolean;
  /** In a few words: "Failed → Completed", "only in B", "output differs". */
  summary: string;
}

/** The output, or the error of a step that failed. */
export function valueOf(result: StepResult | undefined): unknown {
  if (result === undefined) return undefined;
  return result.error ?? result.output;
}

export function comparedValue(before: unknown, after: unknown): ComparedValue {
  const isProse = [before, after].every((value) => typeof value === "string" && /\s/.test(value));
  return { before: textOf(before), after: textOf(after), isProse };
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

export function keyOfText(ignoresTimesAndIds: boolean): (text: string) => string {
  return ignoresTimesAndIds ? withoutTimesAndIds : (text) => text;
}

/** The steps of both runs in the order in which they ran. */
export function compareRuns(before: Task, after: Task, keyOf: (text: string) => string): StepDifference[] {
  const [left, right] = [before, after].map(
    (task) => new Map(task.stepResults.map((result) => [result.stepId, result])),
  );
  const ids = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...ids].map((stepId) => {
    const [a, b] = [left?.get(stepId), right?.get(stepId)];
    const summary = summaryOf(a, b, keyOf);
    return { stepId, before: a, after: b, differs: summary !== undefined, summary: summary ?? "equal" };
  });
}

function summaryOf(
  a: StepResult | undefined,
  b: StepResult | undefined,
  keyOf: (text: string) => string,
): string | undefined {
  if (a === undefined) return "only in B";
  if (b === undefined) return "only in A";
  if (a.status !== b.status) return `${statusLabel(a.status)} → ${statusLabel(b.status)}`;
  if (keyOf(textOf(valueOf(a))) !== keyOf(textOf(valueOf(b))))
    return a.error === null ? "output differs" : "error differs";
  return undefined;
}

/** "Completed · 0.9 s · 2 attempts" */
export function outcomeOf(result: StepResult | undefined): string {
  if (result === undefined) return "Did not run";
  return [
    statusLabel(result.status),
    duration(result.durationMs),
    result.attempts > 1 ? `${result.attempts} attempts` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
