import { LIMITS } from "../../contract/limits.ts";
import type { NotificationKind } from "../../contract/notifications.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { RunEvent } from "../events/run-event.sql.ts";
import { createId } from "../lib/ids.ts";

/** What one or more events of the same group say. */
export interface NotificationFact {
  /** The id of the new notification, unless the events join an open one. */
  id: string;
  ownerId: string;
  kind: NotificationKind;
  /** Null: a separate notification. */
  openKey: string | null;
  title: string;
  message: string;
  taskId: string | null;
  workflowId: string | null;
  workflowName: string | null;
  workflowVersion: number | null;
  stepId: string | null;
  /** The connection or the limit. */
  subjectId: string | null;
  approvers: readonly string[] | null;
  eventIds: string[];
  count: number;
  firstAt: number;
  lastAt: number;
}

type Content = Pick<
  NotificationFact,
  "kind" | "openKey" | "title" | "message" | "stepId" | "subjectId" | "approvers"
>;

const MAX_TITLE = 200;
const MAX_MESSAGE = 500;

/** The notifications of a batch of events: one for each group. */
export function factsOf(events: readonly RunEvent[], now: number): NotificationFact[] {
  const groups = new Map<string, NotificationFact>();
  for (const event of events) {
    const content = contentOf(event);
    if (content === undefined) continue;
    const key = content.openKey ?? event.id;
    const before = groups.get(key);
    groups.set(key, {
      ...content,
      title: shorten(content.title, MAX_TITLE),
      message: shorten(content.message, MAX_MESSAGE),
      id: before?.id ?? createId("note", now),
      ownerId: event.ownerId,
      taskId: event.task?.id ?? null,
      workflowId: event.task?.workflowId ?? null,
      workflowName: event.task?.workflowName ?? null,
      workflowVersion: event.task?.workflowVersion ?? null,
      eventIds: [...(before?.eventIds ?? []), event.id],
      count: (before?.count ?? 0) + event.count,
      firstAt: before?.firstAt ?? event.at,
      lastAt: event.at,
    });
  }
  return [...groups.values()];
}

/** Undefined for an event that nobody is notified of. */
function contentOf({ ownerId, type, data, task }: RunEvent): Content | undefined {
  const nothing = { openKey: null, stepId: null, subjectId: null, approvers: null };
  if (type === "baton.connection.failed") {
    const id = String(data["connectionId"]);
    const text = { title: String(data["name"]), message: String(data["problem"] ?? "") };
    return { ...nothing, ...text, kind: "connection_problem", openKey: `${ownerId} ${id}`, subjectId: id };
  }
  if (type === "baton.limit.reached") {
    const limit = LIMITS.find(({ name }) => name === data["limit"]);
    if (limit === undefined) return undefined;
    const text = { title: limit.setting, message: `${limit.description}.` };
    const openKey = `${ownerId} ${limit.name}`;
    return { ...nothing, ...text, kind: "limit_reached", openKey, subjectId: limit.name };
  }
  if (task === null || task.workflowName === null || task.isTest) return undefined;
  const title = task.workflowName;
  if (type === "baton.approval.requested") {
    const stepId = String(data["stepId"]);
    const approvers = Array.isArray(data["approvers"]) ? data["approvers"].map(String) : null;
    const message = String(data["message"] ?? "");
    return { ...nothing, kind: "approval_requested", title, message, stepId, approvers };
  }
  if (type === "baton.approval.blocked") {
    const stepId = String(data["stepId"]);
    const message = "Too few of its approvers are left. Decide it as an admin, or cancel the run.";
    return { ...nothing, kind: "approval_blocked", title, message, stepId };
  }
  // The failure of a sub-workflow is that of the step that waits for it.
  if (type !== "baton.run.failed" || task.parentStep !== null) return undefined;
  const error = isRecord(data["error"]) ? data["error"] : {};
  const stepId = typeof error["stepId"] === "string" ? error["stepId"] : null;
  const openKey = [ownerId, task.workflowId, withoutItems(stepId ?? ""), String(error["code"])].join(" ");
  return { ...nothing, kind: "run_failed", title, message: String(error["message"] ?? ""), stepId, openKey };
}

/** `each[3]/fetch` and `each[4]/fetch` are one step. */
function withoutItems(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "");
}

/** Without half a surrogate pair at the end, which no database stores. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/\p{Cs}$/u, "")}…`;
}
