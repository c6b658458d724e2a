import type { Db } from "../storage/db.ts";
import { mailDueAt, mailTimes } from "./mail-times.ts";
import { COLUMNS, type NotificationRecord, type Reader, toNotification } from "./notification.sql.ts";
import { IS_UNREAD, isWanted, MAY_SEE, OF_MEMBERS } from "./notification-visibility.ts";

/** A mail that one process sends, and no other until the lease ends. */
export interface TakenMail {
  reader: Reader;
  ids: string[];
  /** 1 for the first one. */
  attempt: number;
}

export interface MailContent {
  email: string;
  workspaceName: string;
  isPersonal: boolean;
  notifications: NotificationRecord[];
}

export type NotificationMailStore = ReturnType<typeof createNotificationMailStore>;

/** Longer than the mail server may take to answer. */
const LEASE_MS = 10 * 60_000;

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
     * Leases the mail to this process. A process that dies before `sent` leaves it due again when the lease ends: then it may
     * arrive twice, and none is lost. Undefined when another process has it.
     */
    async take(reader: Reader, now: number): Promise<TakenMail | undefined> {
      const params = { ...reader, now };
      const [, contents = [], leased = []] = await db.batch(
        [
          // The lock makes a second process wait here, and then find nothing due.
          {
            sql: `select user_id from notification_person where ${OF_READER} /*for-update*/`,
            params: { ...reader },
          },
          { sql: `select notification_id from notification_mail where ${OF_READER} and ${IS_DUE}`, params },
          {
            sql: `update notification_person set mail_due_at = cast($leasedUntil as bigint), mail_attempts = mail_attempts + 1
                  where ${OF_READER} and mail_due_at <= $now returning mail_attempts`,
            params: { ...params, leasedUntil: now + LEASE_MS },
          },
        ],
        { alone: true },
      );
      if (leased[0] === undefined) return undefined;
      const ids = contents.map((row) => row["notification_id"] as string);
      return { reader, ids, attempt: Number(leased[0]["mail_attempts"]) };
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

    /** It is sent, or never will be. What has been added meanwhile is the next mail. */
    async sent({ reader, ids }: TakenMail, now: number): Promise<void> {
      await db.batch(
        [
          {
            sql: `delete from notification_mail where ${OF_READER}
                    and notification_id in (select value from json_each(cast($ids as text)))`,
            params: { ...reader, ids: JSON.stringify(ids) },
          },
          {
            sql: `update notification_person set mail_attempts = 0, mail_due_at = null, last_mail_at = $now where ${OF_READER}`,
            params: { ...reader, now },
          },
          {
            sql: `update notification_person set mail_due_at = ${mailDueAt("notification_person")} where ${OF_READER}
                    and exists (select 1 from notification_mail where ${OF_READER})`,
            params: { ...reader, ...mailTimes(now) },
          },
        ],
        { alone: true },
      );
    },

    /** The mail server has not accepted it: it is due again at `dueAt`. */
    async reschedule({ reader }: TakenMail, dueAt: number): Promise<void> {
      await db.batch([
        {
          sql: `update notification_person set mail_due_at = cast($dueAt as bigint) where ${OF_READER}`,
          params: { ...reader, dueAt },
        },
      ]);
    },
  };
}
