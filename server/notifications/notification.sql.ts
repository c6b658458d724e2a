import type { PageQuery } from "../../contract/api.ts";
import type { NotificationKind } from "../../contract/notifications.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { IS_UNREAD, isWanted, MAY_SEE, OF_MEMBERS } from "./notification-visibility.ts";

export interface NotificationRecord {
  id: string;
  kind: NotificationKind;
  title: string;
  message: string;
  taskId: string | null;
  workflowId: string | null;
  /** The version that ran; null without a run. */
  workflowVersion: number | null;
  stepId: string | null;
  subjectId: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
  unread: boolean;
  readAt: number | null;
}

export interface Reader {
  workspaceId: string;
  userId: string;
}

export type NotificationStore = ReturnType<typeof createNotificationStore>;

export const COLUMNS = `n.id, n.kind, n.title, n.message, n.task_id, n.workflow_id, n.step_id,
  (select t.workflow_version from task as t where t.id = n.task_id) as workflow_version, n.subject_id, n.count, n.first_at, n.last_at,
  r.read_at, case when ${IS_UNREAD} then 1 else 0 end as unread`;

/** The notifications that a member sees on the page. */
const SHOWN = `from ${OF_MEMBERS}
  where n.owner_id = $workspaceId and m.user_id = $userId and ${MAY_SEE} and ${isWanted("page")}`;

export function createNotificationStore(db: Db) {
  const ofReader = ({ workspaceId, userId }: Reader): Record<string, SqlValue> => ({ workspaceId, userId });

  return {
    /** The last changed first. */
    async list(
      reader: Reader,
      { limit, cursor, unread }: PageQuery & { unread: boolean },
    ): Promise<ResultPage<NotificationRecord>> {
      const [at = "", id = ""] = (cursor ?? "").split(":");
      const rows = await db.query(
        `select ${COLUMNS} ${SHOWN} ${unread ? `and ${IS_UNREAD}` : ""}
           and (n.last_at < $at or (n.last_at = $at and n.id < $id))
         order by n.last_at desc, n.id desc limit $limit`,
        { ...ofReader(reader), at: Number(at || Number.MAX_SAFE_INTEGER) || 0, id, limit: limit + 1 },
      );
      return toResultPage(rows.map(toNotification), limit, (entry) => `${entry.lastAt}:${entry.id}`);
    },

    async countUnread(reader: Reader): Promise<number> {
      const [row] = await db.query(`select count(*) as unread ${SHOWN} and ${IS_UNREAD}`, ofReader(reader));
      return Number(row?.["unread"]);
    },

    /** These, or all. Of another member or workspace: nothing. */
    async markRead(reader: Reader, ids: readonly string[] | undefined, now: number): Promise<void> {
      const chosen = "and n.id in (select value from json_each(cast($ids as text)))";
      await db.batch([
        {
          sql: `insert into notification_read (notification_id, owner_id, user_id, count, read_at)
                select n.id, n.owner_id, m.user_id, n.count, cast($now as bigint) ${SHOWN}
                  and n.count > coalesce(r.count, 0) ${ids === undefined ? "" : chosen}
                on conflict (notification_id, user_id) do update set count = excluded.count, read_at = excluded.read_at`,
          params: { ...ofReader(reader), now, ...(ids !== undefined && { ids: JSON.stringify(ids) }) },
        },
      ]);
    },

    /** Deletes up to `limit` notifications without an event since `before`; returns how many. */
    async prune(before: number, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from notification where id in
                  (select id from notification where last_at <= $before order by last_at limit $limit)
                returning 1 as one`,
          params: { before, limit },
        },
      ]);
      return removed.length;
    },
  };
}

export function toNotification(row: Row): NotificationRecord {
  return {
    id: row["id"] as string,
    kind: row["kind"] as NotificationKind,
    title: row["title"] as string,
    message: row["message"] as string,
    taskId: row["task_id"] as string | null,
    workflowId: row["workflow_id"] as string | null,
    workflowVersion: row["workflow_version"] === null ? null : Number(row["workflow_version"]),
    stepId: row["step_id"] as string | null,
    subjectId: row["subject_id"] as string | null,
    count: Number(row["count"]),
    firstAt: Number(row["first_at"]),
    lastAt: Number(row["last_at"]),
    unread: Number(row["unread"]) === 1,
    readAt: row["read_at"] === null ? null : Number(row["read_at"]),
  };
}
