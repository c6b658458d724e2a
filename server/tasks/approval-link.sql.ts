import type { Db } from "../storage/db.ts";

export interface LinkedApproval {
  taskId: string;
  path: string;
  workflowName: string;
  message: string;
  context: string | null;
  requestedAt: number;
  dueAt: number | null;
}

export type ApprovalLinkStore = ReturnType<typeof createApprovalLinkStore>;

export function createApprovalLinkStore(db: Db) {
  return {
    /** The approval that a link decides; undefined when it is decided, overdue, or its task has ended. */
    async findOpen(linkId: string, now: number): Promise<LinkedApproval | undefined> {
      const [row] = await db.query(
        `select a.task_id, a.path, a.message, a.context, a.requested_at, a.due_at, v.name
         from approval as a join task as t on t.id = a.task_id
           join workflow_version as v on v.workflow_id = t.workflow_id and v.version = t.workflow_version
         where a.link_id = $linkId and a.decided_at is null and (a.due_at is null or a.due_at > $now)
           and t.status not in ('completed', 'failed', 'cancelled', 'rejected')
           and not exists (select 1 from account_deletion as d where d.owner_id = a.owner_id)`,
        { linkId, now },
      );
      if (row === undefined) return undefined;
      return {
        taskId: row["task_id"] as string,
        path: row["path"] as string,
        workflowName: row["name"] as string,
        message: row["message"] as string,
        context: row["context"] as string | null,
        requestedAt: Number(row["requested_at"]),
        dueAt: row["due_at"] === null ? null : Number(row["due_at"]),
      };
    },
  };
}
