import { createHash } from "node:crypto";
import type { FailureGroup } from "../../contract/stats.ts";
import { toIso } from "../lib/clock.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { FailedRun } from "./stats.sql.ts";

const MAX_TASK_IDS = 200;

/** A group before its step has a title, with the version of the newest failure. */
export type RunFailures = Omit<FailureGroup, "stepTitle"> & { workflowVersion: number };

/** Groups failures that have the same cause, most frequent first. Expects the newest failure first. */
export function groupFailures(failed: readonly FailedRun[]): RunFailures[] {
  const groups = new Map<string, RunFailures>();
  for (const { taskId, workflowId, workflowVersion, error, completedAt } of failed) {
    const { code, message, stepId } = readError(error);
    const key = keyOf([workflowId, stepId === null ? "" : withoutIndexes(stepId), code, patternOf(message)]);
    const at = toIso(completedAt);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, {
        key,
        workflowId,
        workflowVersion,
        stepId,
        code,
        message,
        count: 1,
        firstAt: at,
        lastAt: at,
        taskIds: [taskId],
      });
      continue;
    }
    group.count += 1;
    if (at < group.firstAt) group.firstAt = at;
    if (at > group.lastAt) group.lastAt = at;
    if (group.taskIds.length < MAX_TASK_IDS) group.taskIds.push(taskId);
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1));
}

/** The message without the parts that differ between two failures of one cause: quoted text, ids, numbers. */
export function patternOf(message: string): string {
  return message
    .slice(0, 1000)
    .replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, "*")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "*")
    .replace(/\b[\w-]*\d[\w-]*\b/g, "*")
    .replace(/[\s*]+/g, " ")
    .trim();
}

/** `each[3]/fetch` fails for the same reason as `each[4]/fetch`. */
function withoutIndexes(stepId: string): string {
  return stepId.replace(/\[\d+\]/g, "[]");
}

function readError(error: unknown): { code: string; message: string; stepId: string | null } {
  if (!isRecord(error)) return { code: "internal_error", message: "The run failed.", stepId: null };
  const { code, message, stepId } = error;
  return {
    code: typeof code === "string" ? code : "internal_error",
    message: typeof message === "string" ? message : "The run failed.",
    stepId: typeof stepId === "string" ? stepId : null,
  };
}

function keyOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}
