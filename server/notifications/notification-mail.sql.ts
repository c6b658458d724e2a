import type { Db, Statement } from "../storage/db.ts";
import { COLUMNS, type NotificationRecord, type Reader, toNotification } from "./notification.sql.ts";
import { IS_UNREAD, isWanted, MAY_SEE, OF_MEMBERS } from "./notification-visibility.ts";

/** A mail that one process has taken, and no other will send. */
export interface TakenMail {
  reader: Reader;
  ids: string[];
  /** Failed attempts before this one. */
  attempts: number;
}

export interface MailContent {
  email: string;
  workspaceName: string;
  isPersonal: boolean;
  notifications: NotificationRecord[];
}

export type NotificationMailStore = ReturnType<typeof createNotificationMailStore>;

const OF_READER = "owner_id = $workspaceId and user_id = $userId";
const IS_DUE = `exists (select 1 from notification_person where ${OF_READER} and mail_due_at <= $now)`;

export function createNotificationMailStore(db: Db) {
  return {
    async due(now: number, limit: number): Promise<Reader[]> {
      const rows = await db.query(
        `select owner_id, user_id from notification_person where mail_due_at <= $now order by mail_due_at limit $limit`,
        { now, limit },
      );
      return rows.map((row) => ({
        workspaceId: row["owner_id"] as string,
        userId: row["user_id"] as string,
      }));
    },

    async nextDueAt(): Promise<number | null> {
      const [row] = await db.query(
        "select min(mail_due_at) as due from notification_person where mail_due_at is not null",
      );
      return row?.["due"] == null ? null : Number(row["due"]);
    },

    /**
     * Takes the contents of the mail out of the database before it is sent: after a crash in between nobody knows whether it
     * was sent, and it is not sent again. Undefined when another process has taken it.
     */
    async take(reader: Reader, now: number): Promise<TakenMail | undefined> {
      const params = { ...reader, now };
      const [, taken = [], updated = []] = await db.batch(
        [
          // The lock makes a second process wait here, and then find nothing due.
          {
            sql: `select user_id from notification_person where ${OF_READER} /*for-update*/`,
            params: { ...reader },
          },
          {
            sql: `delete from notification_mail where ${OF_READER} and ${IS_DUE} returning notification_id`,
            params,
          },
          {
            sql: `update notification_person set mail_due_at = null, last_mail_at = $now
                  where ${OF_READER} and mail_due_at <= $now returning mail_attempts`,
            params,
          },
        ],
        { alone: true },
      );
      if (updated[0] === undefined) return undefined;
      const ids = taken.map((row) => row["notification_id"] as string);
      return { reader, ids, attempts: Number(updated[0]["mail_attempts"]) };
    },

    /** What is still unread and wanted; undefined for a person who is no longer a member, or has read everything. */
    async content({ reader, ids }: TakenMail): Promise<MailContent | undefined> {
      const rows = await db.query(
        `select ${COLUMNS}, a.email, w.name as workspace_name, w.kind as workspace_kind from ${OF_MEMBERS}
         where n.owner_id = $workspaceId and m.user_id = $userId and n.id in (select value from json_each(cast($ids as text)))
           and ${MAY_SEE} and ${isWanted("mail")} and ${IS_UNREAD}
         order by n.last_at desc, n.id desc`,
        { ...reader, ids: JSON.stringify(ids) },
      );
      const [first] = rows;
      if (first === undefined) return undefined;
      return {
        email: first["email"] as string,
        workspaceName: first["workspace_name"] as string,
        isPersonal: first["workspace_kind"] === "personal",
        notifications: rows.map(toNotification),
      };
    },

    async sent({ reader, attempts }: TakenMail): Promise<void> {
      if (attempts === 0) return;
      await db.batch([
        {
          sql: `update notification_person set mail_attempts = 0 where ${OF_READER}`,
          params: { ...reader },
        },
      ]);
    },

    /** The mail server has not accepted it: the contents come back, and are due at `dueAt`. */
    async putBack({ reader, ids, attempts }: TakenMail, dueAt: number): Promise<void> {
      const restored: Statement = {
        sql: `insert into notification_mail (notification_id, owner_id, user_id)
              select n.id, n.owner_id, m.user_id from notification as n join member as m on m.workspace_id = n.owner_id
              where n.owner_id = $workspaceId and m.user_id = $userId and n.id in (select value from json_each(cast($ids as text)))
              on conflict do nothing`,
        params: { ...reader, ids: JSON.stringify(ids) },
      };
      await db.batch([
        restored,
        {
          sql: `update notification_person set mail_due_at = cast($dueAt as bigint), mail_attempts = cast($failed as bigint)
                where ${OF_READER}`,
          params: { ...reader, dueAt, failed: attempts + 1 },
        },
      ]);
    },
  };
}
