import type { Notification } from "../../contract/notifications.ts";
import { toIso } from "../lib/clock.ts";
import type { NotificationFact } from "./notification-facts.ts";
import type { NotificationRecord } from "./notification.sql.ts";

type Linked = Pick<NotificationRecord, "kind" | "taskId" | "subjectId">;

/** The path of the page where a person can act. */
export function linkOf({ kind, taskId, subjectId }: Linked): string {
  if (kind === "connection_problem") return `/connections/${subjectId ?? ""}`;
  if (kind === "limit_reached") return "/settings/limits";
  return `/runs/${taskId ?? ""}`;
}

const connectionOf = ({ kind, subjectId }: Linked) => (kind === "connection_problem" ? subjectId : null);

export type TitledNotification = NotificationRecord & { stepTitle: string | null };

export function viewNotification(record: TitledNotification): Notification {
  const {
    subjectId: _subjectId,
    workflowVersion: _workflowVersion,
    firstAt,
    lastAt,
    readAt,
    ...rest
  } = record;
  return {
    ...rest,
    connectionId: connectionOf(record),
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt),
    readAt: readAt === null ? null : toIso(readAt),
    link: linkOf(record),
  };
}

/** The data of `baton.notification.created`. */
export function factData(
  fact: NotificationFact & { stepTitle: string | null },
  serviceUrl: string,
): Record<string, unknown> {
  const { id, kind, title, message, taskId, workflowId, workflowName, stepId, stepTitle, count } = fact;
  return {
    id,
    kind,
    title,
    message,
    count,
    taskId,
    workflowId,
    workflowName,
    stepId,
    stepTitle,
    connectionId: connectionOf(fact),
    firstAt: toIso(fact.firstAt),
    url: `${serviceUrl}${linkOf(fact)}`,
  };
}
