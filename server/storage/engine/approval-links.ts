import type { ApprovalNotice } from "../../engine/approval-store.ts";
import type { EngineStore } from "../../engine/store.ts";
import type { Db, Row, Statement } from "../db.ts";
import { FINAL, wakeTasks } from "./task-sql.ts";

const OPEN = `a.task_id = $taskId and a.path = $path and a.decided_at is null
  and exists (select 1 from task where id = $taskId and status not in ${FINAL})`;
const NOTICE = "notice_attempts, notice_round, notice_retry_at, notice_sent_at, notice_error";
/** An email that never left keeps its message id. */
const RENEWED = `notice_attempts = 1, notice_retry_at = null, notice_sent_at = null, notice_error = null,
  notice_round = notice_round + case when notice_sent_at is null then 0 else 1 end`;
/** The first email was sent, and none after it. */
const SENT_ONCE = "notice_round = 0 and notice_sent_at is not null";
/** `createdBy` of a link that is sent by email: no person was shown it. */
const SENT_BY_EMAIL = "";

/** The links that decide approvals without a login, and the emails that carry them. */
export function createApprovalLinkRows(
  db: Db,
): Pick<
  EngineStore,
  "linkApproval" | "linkApprover" | "recordNotice" | "requestNotices" | "renewSentNotices"
> {
  return {
    async linkApproval(taskId, path, newLinkId) {
      const [rows = []] = await db.batch([
        {
          sql: `update approval as a set link_id = coalesce(link_id, $newLinkId) where ${OPEN}
                returning link_id, due_at, ${NOTICE}`,
          params: { taskId, path, newLinkId },
        },
      ]);
      return rows[0] === undefined ? undefined : toNotice(rows[0]);
    },

    async linkApprover(taskId, path, { linkId, email, createdBy }) {
      const person = { taskId, path, email, createdBy: createdBy ?? SENT_BY_EMAIL };
      await db.batch([
        {
          sql: `insert into approval_link (link_id, task_id, path, seq, email, created_by)
                select $linkId, a.task_id, a.path, a.seq, $email, $createdBy from approval as a where ${OPEN}
                on conflict do nothing`,
          params: { ...person, linkId },
        },
      ]);
      const [row] = await db.query(
        `select l.link_id, a.due_at, ${NOTICE.replaceAll("notice_", "l.notice_")}
         from approval as a join approval_link as l on l.task_id = a.task_id and l.path = a.path and l.seq = a.seq
         where ${OPEN} and l.email = $email and l.created_by = $createdBy`,
        person,
      );
      return row === undefined ? undefined : toNotice(row);
    },

    async recordNotice(taskId, path, { linkId, attempts, retryAt, sentAt, error }) {
      // The link is that of the approval or of one approver.
      await db.batch(
        ["approval", "approval_link"].map((table) => ({
          sql: `update ${table} set notice_attempts = $attempts, notice_retry_at = $retryAt, notice_sent_at = $sentAt, notice_error = $error
                where task_id = $taskId and path = $path and link_id = $linkId`,
          params: { taskId, path, linkId, attempts, retryAt, sentAt, error },
        })),
      );
    },

    async requestNotices(taskId, path, now) {
      const params = { taskId, path };
      const [, shared = [], personal = []] = await db.batch([
        // As a decision: the task first, so that two transactions cannot deadlock.
        { sql: "select id from task where id = $taskId /*for-update*/", params: { taskId } },
        ...renew("notice_attempts > 0", params),
        // In the same transaction: emails that nothing sends would be shown as on their way for ever.
        {
          sql: wakeTasks(`id = $taskId and exists (select 1 from approval as a where ${OPEN})`),
          params: { ...params, now },
        },
      ]);
      return shared.length + personal.length > 0;
    },

    async renewSentNotices(taskId, path) {
      await db.batch(renew(SENT_ONCE, { taskId, path }));
    },
  };
}

/** The emails of an open approval that fulfil a condition, without those of people who have decided. */
function renew(condition: string, params: { taskId: string; path: string }): Statement[] {
  return [
    { sql: `update approval as a set ${RENEWED} where ${OPEN} and ${condition} returning path`, params },
    {
      sql: `update approval_link as l set ${RENEWED} where ${condition} and exists (
              select 1 from approval as a where ${OPEN} and a.seq = l.seq and l.task_id = a.task_id and l.path = a.path)
            and not exists (
              select 1 from approval_decision as d where d.task_id = l.task_id and d.path = l.path and d.seq = l.seq
                and lower(d.person_email) = l.email)
            returning path`,
      params,
    },
  ];
}

function toNotice(row: Row): ApprovalNotice & { expiresAt: number | null } {
  const time = (column: string) => (row[column] === null ? null : Number(row[column]));
  return {
    linkId: row["link_id"] as string,
    attempts: Number(row["notice_attempts"]),
    round: Number(row["notice_round"]),
    retryAt: time("notice_retry_at"),
    sentAt: time("notice_sent_at"),
    error: row["notice_error"] as string | null,
    expiresAt: time("due_at"),
  };
}
