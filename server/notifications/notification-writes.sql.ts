import { insertDelivery, type NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import type { Statement } from "../storage/db.ts";
import { mailDueAt, mailTimes } from "./mail-times.ts";
import type { NotificationFact } from "./notification-facts.ts";
import { isWanted, MAY_SEE, OF_MEMBERS } from "./notification-visibility.ts";

const HOUR_MS = 3_600_000;
/** A group ends after an hour without an event, and after a day in any case: then there is a new one, with a new mail. */
const QUIET_MS = HOUR_MS;
const LONGEST_MS = 24 * HOUR_MS;

/** Per workspace; older ones are deleted. */
export const MAX_KEPT = 500;

/** Only what the lock of the events still holds: another process may have moved some of them. */
const HELD = "run_event where id in (select value from json_each(cast($eventIds as text)))";

/** For the batch that moves the events: the notification, and the mails to members if it is new. */
export function notificationWrites(
  fact: NotificationFact,
  { now, withMail }: { now: number; withMail: boolean },
): Statement[] {
  const { id, openKey, firstAt } = fact;
  return [
    ...(openKey === null ? [] : [endGroup(openKey, firstAt)]),
    upsert(fact),
    ...(withMail ? mailsOf(id, now) : []),
  ];
}

function endGroup(openKey: string, at: number): Statement {
  return {
    sql: `update notification set open_key = null
          where open_key = $openKey and (last_at < $quietSince or first_at < $begunBefore)`,
    params: { openKey, quietSince: at - QUIET_MS, begunBefore: at - LONGEST_MS },
  };
}

/** Two processes with events of one group make one notification: the key is unique. */
function upsert({ eventIds, approvers, count: _count, ...fact }: NotificationFact): Statement {
  return {
    sql: `insert into notification
            (id, owner_id, kind, open_key, title, message, task_id, workflow_id, step_id, subject_id, approvers, count, first_at, last_at)
          select $id, $ownerId, $kind, cast($openKey as text), $title, $message, cast($taskId as text), cast($workflowId as text),
            cast($stepId as text), cast($subjectId as text), cast($approvers as text),
            (select cast(sum(count) as bigint) from ${HELD}), cast($firstAt as bigint), cast($lastAt as bigint)
          where exists (select 1 from ${HELD})
            and exists (select 1 from workspace where id = $ownerId and deleted_at is null)
          on conflict (open_key) do update set count = notification.count + excluded.count, title = excluded.title,
            message = excluded.message, task_id = excluded.task_id, step_id = excluded.step_id,
            last_at = case when excluded.last_at > notification.last_at then excluded.last_at else notification.last_at end`,
    params: {
      ...fact,
      eventIds: JSON.stringify(eventIds),
      approvers: approvers === null ? null : JSON.stringify(approvers),
    },
  };
}

/** Nothing when the events have joined an open notification: there is none with this id. */
function mailsOf(id: string, now: number): Statement[] {
  return [
    {
      sql: `insert into notification_mail (notification_id, owner_id, user_id)
            select n.id, n.owner_id, m.user_id from ${OF_MEMBERS}
            where n.id = $id and ${MAY_SEE} and ${isWanted("mail")} and a.email_confirmed_at is not null`,
      params: { id },
    },
    {
      sql: `insert into notification_person (owner_id, user_id, mail_due_at)
            select owner_id, user_id, cast($now as bigint) from notification_mail where notification_id = $id
            on conflict (owner_id, user_id) do update
              set mail_due_at = coalesce(notification_person.mail_due_at, ${mailDueAt("notification_person")})`,
      params: { id, ...mailTimes(now) },
    },
  ];
}

/** The oldest ones of a workspace with more than `MAX_KEPT`. */
export function dropOldest(ownerId: string): Statement {
  return {
    sql: `delete from notification where id in
            (select id from notification where owner_id = $ownerId order by last_at desc, id desc limit 1000 offset ${MAX_KEPT})`,
    params: { ownerId },
  };
}

/** A webhook message about a notification that is new. */
export function insertNotificationDelivery(id: string, delivery: NewOutboxDelivery, now: number): Statement {
  return insertDelivery(delivery, now, {
    sql: "exists (select 1 from notification where id = $notificationId)",
    params: { notificationId: id },
  });
}
