import type { EventType } from "../../api/events.ts";

/** The events that can be subscribed to, in the words of the page. */
export const EVENT_OPTIONS: readonly { value: EventType; label: string }[] = [
  { value: "baton.run.started", label: "Run started" },
  { value: "baton.run.completed", label: "Run completed" },
  { value: "baton.run.failed", label: "Run failed" },
  { value: "baton.run.rejected", label: "Run rejected" },
  { value: "baton.run.cancelled", label: "Run canceled" },
  { value: "baton.run.waiting_approval", label: "Run waiting for approval" },
  { value: "baton.approval.requested", label: "Approval requested" },
  { value: "baton.approval.decided", label: "Approval decided" },
  { value: "baton.approval.blocked", label: "Approval without approvers" },
  { value: "baton.connection.failed", label: "Connection problem" },
  { value: "baton.limit.reached", label: "Limit reached" },
  { value: "baton.notification.created", label: "Notification (grouped)" },
  { value: "baton.audit.recorded", label: "Audit event recorded" },
];

export function eventLabel(type: string): string {
  if (type === "baton.test") return "Test event";
  return EVENT_OPTIONS.find(({ value }) => value === type)?.label ?? type;
}
