import type { Approval, Decision } from "../../contract/approvals.ts";
import { toIso } from "../lib/clock.ts";
import type { DecisionRecord } from "../engine/approval-store.ts";
import type { ViewedApproval } from "./approvals.ts";

export function viewApproval({
  context,
  requestedAt,
  dueAt,
  onTimeout,
  notice,
  approvers,
  decisions,
  ...rest
}: ViewedApproval): Approval {
  const time = (at: number | null) => (at === null ? null : toIso(at));
  return {
    ...rest,
    approvers: approvers === null ? null : [...approvers],
    decisions: decisions.map(viewDecision),
    ...(context !== null && { context: JSON.parse(context) as unknown }),
    requestedAt: toIso(requestedAt),
    dueAt: time(dueAt),
    ...(onTimeout !== null && { onTimeout }),
    ...(notice.attempts > 0 && { notice: { sentAt: time(notice.sentAt), error: notice.error } }),
  };
}

export function viewDecision({
  person,
  decidedBy,
  decision,
  comment,
  via,
  at,
  data,
}: DecisionRecord): Decision {
  return {
    by: person ?? { id: decidedBy, name: null, email: null },
    decision,
    comment,
    via,
    at: toIso(at),
    ...(data !== null && { data }),
  };
}

export function viewTaskDecision(record: DecisionRecord) {
  const { id, path, linkCreatedBy } = record;
  return { id, stepId: path, ...viewDecision(record), ...(linkCreatedBy !== null && { linkCreatedBy }) };
}
