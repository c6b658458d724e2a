import type { Approval } from "../../contract/approvals.ts";
import { toIso } from "../lib/clock.ts";
import type { PendingApproval } from "./task.sql.ts";

export function viewApproval({ context, requestedAt, dueAt, notice, ...rest }: PendingApproval): Approval {
  const time = (at: number | null) => (at === null ? null : toIso(at));
  return {
    ...rest,
    ...(context !== null && { context: JSON.parse(context) as unknown }),
    requestedAt: toIso(requestedAt),
    dueAt: time(dueAt),
    ...(notice.attempts > 0 && { notice: { sentAt: time(notice.sentAt), error: notice.error } }),
  };
}
