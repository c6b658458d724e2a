import type { OnTimeout } from "../../contract/approvals.ts";
import type { Db } from "../storage/db.ts";

export interface LinkedApproval {
  taskId: string;
  path: string;
  ownerId: string;
  /** The approver in whose name the link decides; null for a link that anyone may use. */
  approverEmail: string | null;
  workflowName: string;
  message: string;
  context: string | null;
  requestedAt: number;
  dueAt: number | null;
  onTimeout: OnTimeout | null;
}

export type ApprovalLinkStore = ReturnType<typeof createApprovalLinkStore>;

export function createApprovalLinkStore(db: Db) {
  return {
    /** The approval that a link decides; undefined when it is decided, overdue, or its task has ended. */
    async findOpen(linkId: string, now: number): Promise<LinkedApproval | undefined> {
      const [row] = await db.query(
        `select a.task_id, a.path, a.owner_id, l.email, a.message, a.context, a.requested_at, a.due_at, a.on_timeout, v.name
         from (
             select task_id, path, seq, null as email from approval where link_id = $linkId
             union all select task_id, path, seq, email from approval_link where link_id = $linkId) as l
           join approval as a on a.task_id = l.task_id and a.path = l.path and a.seq = l.seq
           join task as t on t.id = a.task_id
           join workflow_version as v on v.workflow_id = t.workflow_id and v.version = t.workflow_version
         where a.decided_at is null and (a.due_at is null or a.due_at > $now)
           and t.status not in ('completed', 'failed', 'cancelled', 'rejected')
           and not exists (select 1 from account_deletion as d where d.owner_id = a.owner_id)`,
        { linkId, now },
      );
      if (row === undefined) return undefined;
      return {
        taskId: row["task_id"] as string,
        path: row["path"] as string,
        ownerId: row["owner_id"] as string,
        approverEmail: row["email"] as string | null,
        workflowName: row["name"] as string,
        message: row["message"] as string,
        context: row["context"] as string | null,
        requestedAt: Number(row["requested_at"]),
        dueAt: row["due_at"] === null ? null : Number(row["due_at"]),
        onTimeout: row["on_timeout"] as OnTimeout | null,
      };
    },
  };
}
