import type { Approvers } from "../../contract/approvers.ts";
import { createId } from "../lib/ids.ts";
import type { Db } from "../storage/db.ts";
import { RUN_EVENT_CHANNEL } from "../storage/engine/run-events.ts";

export interface NamedApproval {
  taskId: string;
  path: string;
  seq: number;
  ownerId: string;
  approvers: Approvers;
  requiredApprovals: number;
  decisions: { decision: string; person: { id: string } | null }[];
}

export type BlockedApprovalStore = ReturnType<typeof createBlockedApprovalStore>;

/** Per pass, the newest first. */
const MAX_CHECKED = 5000;

const IS_UNREPORTED = `not exists (select 1 from notification as n where n.owner_id = a.owner_id and n.kind = 'approval_blocked'
  and n.task_id = a.task_id and n.step_id = a.path and n.first_at >= a.requested_at)`;
const NAMED = `select a.task_id, a.path, a.seq, a.owner_id, a.approvers, a.required_approvals
  from approval as a join task as t on t.id = a.task_id
  where a.decided_at is null and (a.approvers is not null or a.required_approvals > 1)
    and t.status not in ('completed', 'failed', 'cancelled', 'rejected') and ${IS_UNREPORTED}
  order by a.requested_at desc limit ${MAX_CHECKED}`;

/** Open approvals that only known people decide. */
export function createBlockedApprovalStore(db: Db) {
  return {
    /** Those that nobody was notified of as blocked. */
    async list(): Promise<NamedApproval[]> {
      const rows = await db.query(
        `select a.*, d.decision, d.person_id from (${NAMED}) as a
         left join approval_decision as d on d.task_id = a.task_id and d.path = a.path and d.seq = a.seq`,
      );
      const approvals = new Map<string, NamedApproval>();
      for (const row of rows) {
        const [taskId, path] = [row["task_id"] as string, row["path"] as string];
        const key = `${taskId} ${path}`;
        const approval = approvals.get(key) ?? {
          taskId,
          path,
          seq: Number(row["seq"]),
          ownerId: row["owner_id"] as string,
          approvers: row["approvers"] === null ? null : (JSON.parse(String(row["approvers"])) as string[]),
          requiredApprovals: Number(row["required_approvals"]),
          decisions: [],
        };
        approvals.set(key, approval);
        const personId = row["person_id"] as string | null;
        if (row["decision"] !== null)
          approval.decisions.push({
            decision: String(row["decision"]),
            person: personId === null ? null : { id: personId },
          });
      }
      return [...approvals.values()];
    },

    /** Stores the event that admins are notified of, once for each approval. */
    async report({ taskId, path, seq }: NamedApproval, now: number): Promise<void> {
      await db.batch([
        {
          sql: `insert into run_event (id, owner_id, task_id, type, data, at)
                select cast($eventId as text), a.owner_id, a.task_id, 'baton.approval.blocked', cast($data as text), cast($now as bigint)
                from approval as a where a.task_id = $taskId and a.path = $path and a.seq = $seq and a.decided_at is null
                  and ${IS_UNREPORTED}
                  and not exists (select 1 from run_event as e where e.task_id = a.task_id
                    and e.type = 'baton.approval.blocked' and e.data = cast($data as text))
                on conflict do nothing`,
          params: {
            eventId: createId("evt", now),
            taskId,
            path,
            seq,
            now,
            data: JSON.stringify({ stepId: path }),
          },
        },
      ]);
      db.notify(RUN_EVENT_CHANNEL, "");
    },
  };
}
