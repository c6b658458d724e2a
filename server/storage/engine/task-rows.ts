import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { EngineTask, TaskOptions } from "../../engine/store.ts";
import type { Task, TaskResult } from "../../engine/tasks/task.ts";
import type { Row } from "../db.ts";

export function toEngineTask(row: Row): EngineTask {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    lane: row["lane"] as string,
    workflowId: row["workflow_id"] as string,
    workflowVersion: Number(row["workflow_version"]),
    trigger: row["trigger"] as EngineTask["trigger"],
    input: parse(row["input"]) as JsonValue,
    options: toOptions(row),
    parentTaskId: row["parent_task_id"] as string | null,
    parentStep: row["parent_step"] as string | null,
    depth: Number(row["depth"]),
    epoch: Number(row["epoch"]),
    wake: Number(row["wake"]),
    createdAt: Number(row["created_at"]),
    startedAt: toTime(row["started_at"]),
  };
}

export function toOptions(row: Row): TaskOptions | null {
  return parse(row["options"]) as TaskOptions | null;
}

export function toTask(row: Row): Task {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    workflowId: row["workflow_id"] as string,
    workflowVersion: Number(row["workflow_version"]),
    status: row["status"] as Task["status"],
    trigger: row["trigger"] as Task["trigger"],
    input: parse(row["input"]) as JsonValue,
    result: parse(row["result"]) as TaskResult | null,
    error: parse(row["error"]) as Task["error"],
    parentTaskId: row["parent_task_id"] as string | null,
    createdAt: Number(row["created_at"]),
    startedAt: toTime(row["started_at"]),
    completedAt: toTime(row["completed_at"]),
  };
}

/** Stored JSON was written by this program and is trusted. */
function parse(text: unknown): unknown {
  return typeof text === "string" ? JSON.parse(text) : null;
}

function toTime(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
