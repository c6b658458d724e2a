import type { TaskStreamEvent } from "../../contract/task-events.ts";
import type { TaskEvent } from "../engine/engine-api.ts";
import { toIso } from "../lib/clock.ts";

export function toStreamEvent(event: TaskEvent): TaskStreamEvent {
  if (event.seq === null && event.line !== undefined)
    return { event: "step_log", stepId: event.path, type: event.type, ...event.line };
  if (event.seq === null)
    return {
      event: "step_started",
      stepId: event.path,
      type: event.type,
      status: "running",
      at: toIso(event.at),
    };
  const { entry } = event;
  const common = {
    seq: entry.seq,
    ...("error" in entry && entry.error !== null && { error: entry.error }),
    ...("due" in entry && entry.due !== null && { dueAt: toIso(entry.due) }),
    at: toIso(entry.at),
  };
  if (entry.kind === "status") return { event: "task", kind: "status", status: entry.status, ...common };
  if (entry.kind === "rerun") return { event: "rerun", kind: "rerun", status: entry.status, ...common };
  return {
    event: entry.kind,
    kind: entry.kind,
    stepId: entry.path,
    type: entry.type,
    attempt: "attempt" in entry ? entry.attempt : 0,
    status: entry.status,
    ...(entry.startedAt !== null && { startedAt: toIso(entry.startedAt) }),
    ...common,
  };
}
