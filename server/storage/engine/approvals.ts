import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { ApprovalDecision, ApprovalNotice, EngineStore } from "../../engine/store.ts";
import type { Db, Row } from "../db.ts";
import { decidedEvent, RUN_EVENT_CHANNEL } from "./run-events.ts";
import { OPEN_FAMILY } from "./task-family.ts";
import { FINAL, wakeTasks } from "./task-sql.ts";

export function createApprovalStore(
  db: Db,
): Pick<EngineStore, "decide" | "decision" | "openApprovals" | "linkApproval" | "recordNotice"> {
  return {
    async decide(taskId, path, given, linkId) {
      const { decision, comment, data, decidedBy, decidedAt } = given;
      const ofLink = linkId === undefined ? "" : "and link_id = $linkId";
      const [decided = [], , events = []] = await db.batch([
        {
          sql: `update approval set decision = $decision, comment = $comment, data = $data, decided_by = $decidedBy, decided_at = $decidedAt
                where task_id = $taskId and path = $path and decided_at is null ${ofLink}
                  and exists (select 1 from task where id = $taskId and status not in ${FINAL}) returning path`,
          params: {
            taskId,
            path,
            decision,
            comment,
            data: JSON.stringify(data),
            decidedBy,
            decidedAt,
            linkId: linkId ?? null,
          },
        },
        {
          sql: wakeTasks(
            "id = $taskId and exists (select 1 from approval where task_id = $taskId and decided_at = $now)",
          ),
          params: { taskId, now: decidedAt },
        },
        decidedEvent(taskId, path, given),
      ]);
      if (events.length > 0) db.notify(RUN_EVENT_CHANNEL, "");
      return decided.length === 1;
    },

    async decision(taskId, path) {
      const [row] = await db.query(
        "select * from approval where task_id = $taskId and path = $path and decided_at is not null",
        { taskId, path },
      );
      return row === undefined ? undefined : toDecision(row);
    },

    async openApprovals(taskId) {
      const rows = await db.query(
        `${OPEN_FAMILY} select a.task_id, a.path from approval as a join family as f on f.id = a.task_id
         where a.decided_at is null order by case when a.task_id = $taskId then 0 else 1 end, a.requested_at, a.path`,
        { taskId },
      );
      return rows.map((row) => ({ taskId: row["task_id"] as string, path: row["path"] as string }));
    },

    async linkApproval(taskId, path, newLinkId) {
      const [rows = []] = await db.batch([
        {
          sql: `update approval set link_id = coalesce(link_id, $newLinkId)
                where task_id = $taskId and path = $path and decided_at is null
                  and exists (select 1 from task where id = $taskId and status not in ${FINAL})
                returning link_id, due_at, notice_attempts, notice_retry_at, notice_sent_at, notice_error`,
          params: { taskId, path, newLinkId },
        },
      ]);
      return rows[0] === undefined ? undefined : toNotice(rows[0]);
    },

    async recordNotice(taskId, path, { linkId, attempts, retryAt, sentAt, error }) {
      await db.batch([
        {
          sql: `update approval set notice_attempts = $attempts, notice_retry_at = $retryAt, notice_sent_at = $sentAt, notice_error = $error
                where task_id = $taskId and path = $path and link_id = $linkId`,
          params: { taskId, path, linkId, attempts, retryAt, sentAt, error },
        },
      ]);
    },
  };
}

function toNotice(row: Row): ApprovalNotice & { expiresAt: number | null } {
  const time = (column: string) => (row[column] === null ? null : Number(row[column]));
  return {
    linkId: row["link_id"] as string,
    attempts: Number(row["notice_attempts"]),
    retryAt: time("notice_retry_at"),
    sentAt: time("notice_sent_at"),
    error: row["notice_error"] as string | null,
    expiresAt: time("due_at"),
  };
}

function toDecision(row: Row): ApprovalDecision {
  return {
    decision: row["decision"] as ApprovalDecision["decision"],
    comment: row["comment"] as string | null,
    data: JSON.parse((row["data"] as string | null) ?? "null") as JsonValue,
    decidedBy: row["decided_by"] as string,
    decidedAt: Number(row["decided_at"]),
  };
}
