import { traitsOf } from "../../contract/steps/catalogue.ts";
import type { FinishedRun } from "../engine/engine-api.ts";
import type { StepEntry } from "../engine/journal/journal-entry.ts";
import { toIso } from "../lib/clock.ts";

/** Fields that `stepResultsOf` sets itself, sums up or cuts to a budget: a runner that returns one takes the general way. */
const SPECIAL_FIELDS = [
  "stepId",
  "type",
  "status",
  "input",
  "output",
  "error",
  "attempts",
  "startedAt",
  "completedAt",
  "durationMs",
  "dueAt",
  "logs",
  "usage",
  "cost",
];

/**
 * The response to a call whose run completed in this process, put together from the JSON of its journal: nothing is parsed
 * and serialised a second time. It equals what `toSyncResponse` builds. Undefined when entries have to be summed up
 * (loops, retries, waits, tokens) or a value is not in its row.
 */
export function finishedBody({ task, resultJson, entries }: FinishedRun): string | undefined {
  if (task.status !== "completed") return undefined;
  let steps = "";
  for (const entry of entries) {
    if (entry.kind === "status") continue;
    if (entry.kind !== "step" || !isPlain(entry)) return undefined;
    steps += (steps === "" ? "" : ",") + stepJson(entry);
  }
  return `{"ok":true,"taskId":"${task.id}","status":"completed","result":${resultJson ?? "null"},"stepResults":[${steps}]}`;
}

function isPlain({ type, outputRef, extra }: StepEntry): boolean {
  if (outputRef !== null || traitsOf(type).loop === true) return false;
  return extra === null || !SPECIAL_FIELDS.some((field) => Object.hasOwn(extra, field));
}

function stepJson(entry: StepEntry): string {
  const { path, type, status, input, output, error, attempt, extra, startedAt, at } = entry;
  const more = extra === null ? "" : JSON.stringify(extra).slice(1, -1);
  const [started, duration] = startedAt === null ? ["null", "null"] : [isoJson(startedAt), at - startedAt];
  return (
    `{${more}${more === "" ? "" : ","}"stepId":${JSON.stringify(path)},"type":"${type}","status":"${status}",` +
    `"input":${input ?? "null"},"output":${output ?? "null"},"error":${error === null ? "null" : JSON.stringify(error)},` +
    `"attempts":${attempt},"startedAt":${started},"completedAt":${isoJson(at)},"durationMs":${duration}}`
  );
}

function isoJson(timestampMs: number): string {
  return `"${toIso(timestampMs)}"`;
}
