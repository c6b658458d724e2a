import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { taskStatusSchema } from "../../../contract/tasks.ts";
import type { EngineTask, TaskOptions } from "../../engine/tasks/engine-task.ts";
import type { LargeInput } from "../../engine/task-queue.ts";
import type { RetryRequest } from "../../engine/tasks/engine-task.ts";
import type { Task, TaskResult } from "../../engine/tasks/task.ts";
import type { Row } from "../db.ts";
import { numberOrNull, oneOf, parsed, text, textOrNull } from "./row-values.ts";
import { isStoredApart } from "./task-inputs.ts";

/** `largeInput` is that of a task whose input is not in its row. */
export function toEngineTask(row: Row, largeInput?: LargeInput): EngineTask {
  return {
    id: text(row, "id"),
    ownerId: text(row, "owner_id"),
    lane: text(row, "lane"),
    workflowId: text(row, "workflow_id"),
    workflowVersion: Number(row["workflow_version"]),
    trigger: row["trigger"] as EngineTask["trigger"],
    ...(largeInput === undefined ? { input: parsed(row, "input") as JsonValue } : largeInput),
    options: toOptions(row),
    parentTaskId: textOrNull(row, "parent_task_id"),
    parentStep: textOrNull(row, "parent_step"),
    rootTaskId: textOrNull(row, "root_task_id"),
    depth: Number(row["depth"]),
    epoch: Number(row["epoch"]),
    wake: Number(row["wake"]),
    createdAt: Number(row["created_at"]),
    startedAt: numberOrNull(row, "started_at"),
    acceptedBy: textOrNull(row, "accepted_by"),
    ...retryRequestsOf(row),
    // Only a claim reads this column.
    ...(row["is_blank"] === undefined ? {} : { isBlank: Number(row["is_blank"]) === 1 }),
  };
}

function retryRequestsOf(row: Row): Pick<EngineTask, "retryRequests"> {
  const lines = textOrNull(row, "retry_requests")?.split("\n").filter(Boolean);
  return lines === undefined ? {} : { retryRequests: lines.map((line) => JSON.parse(line) as RetryRequest) };
}

export function toOptions(row: Row): TaskOptions | null {
  return parsed(row, "options") as TaskOptions | null;
}

/** `largeInput` is the parsed input of a row that does not hold it. */
export function toTask(row: Row, largeInput?: JsonValue): Task {
  return {
    id: text(row, "id"),
    ownerId: text(row, "owner_id"),
    workflowId: text(row, "workflow_id"),
    workflowVersion: Number(row["workflow_version"]),
    status: oneOf(row, "status", taskStatusSchema.options),
    trigger: row["trigger"] as Task["trigger"],
    input: isStoredApart(row) ? (largeInput ?? null) : (parsed(row, "input") as JsonValue),
    result: parsed(row, "result") as TaskResult | null,
    error: parsed(row, "error") as Task["error"],
    parentTaskId: textOrNull(row, "parent_task_id"),
    createdAt: Number(row["created_at"]),
    startedAt: numberOrNull(row, "started_at"),
    completedAt: numberOrNull(row, "completed_at"),
  };
}
