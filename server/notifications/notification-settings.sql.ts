import {
  type MailFrequency,
  NOTIFICATION_CHANNELS,
  notificationKinds,
  type NotificationSettings,
} from "../../contract/notifications.ts";
import type { Db } from "../storage/db.ts";
import { mailDueAt, mailTimes } from "./mail-times.ts";
import type { Reader } from "./notification.sql.ts";

export type NotificationSettingsStore = ReturnType<typeof createNotificationSettingsStore>;

/** What a member has switched off, and how often mails are sent. Without a row everything is on. */
export function createNotificationSettingsStore(db: Db) {
  return {
    async get(reader: Reader): Promise<NotificationSettings> {
      const [row] = await db.query(
        "select muted, mail_frequency from notification_person where owner_id = $workspaceId and user_id = $userId",
        { ...reader },
      );
      const muted = new Set(JSON.parse((row?.["muted"] as string | undefined) ?? "[]") as string[]);
      return {
        kinds: notificationKinds.map((kind) => ({
          kind,
          page: !muted.has(`${kind}:page`),
          mail: !muted.has(`${kind}:mail`),
        })),
        mailFrequency: (row?.["mail_frequency"] as MailFrequency | undefined) ?? "immediate",
      };
    },

    /** A mail that is due later moves to the time of the new frequency. */
    async set(reader: Reader, { kinds, mailFrequency }: NotificationSettings, now: number): Promise<void> {
      const muted = kinds.flatMap((each) =>
        NOTIFICATION_CHANNELS.filter((channel) => !each[channel]).map((channel) => `${each.kind}:${channel}`),
      );
      await db.batch([
        {
          sql: `insert into notification_person (owner_id, user_id, muted, mail_frequency)
                values ($workspaceId, $userId, $muted, $mailFrequency)
                on conflict (owner_id, user_id) do update set muted = excluded.muted, mail_frequency = excluded.mail_frequency`,
          params: { ...reader, muted: JSON.stringify(muted), mailFrequency },
        },
        {
          sql: `update notification_person set mail_due_at = ${mailDueAt("notification_person")}
                where owner_id = $workspaceId and user_id = $userId and mail_due_at is not null and mail_attempts = 0`,
          params: { ...reader, ...mailTimes(now) },
        },
      ]);
    },

    async isAddressConfirmed(userId: string): Promise<boolean> {
      const [row] = await db.query("select email_confirmed_at from account where id = $userId", { userId });
      return row !== undefined && row["email_confirmed_at"] !== null;
    },
  };
}
