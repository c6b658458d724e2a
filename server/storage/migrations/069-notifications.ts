import type { Migration } from "../migrate.ts";

const OF_MEMBER =
  "foreign key (owner_id, user_id) references member (workspace_id, user_id) on delete cascade";

/**
 * Notifications of a workspace, what each member has read, their settings and the mails that are due. Events may be about
 * a connection or a limit instead of a run, and one may stand for several.
 */
export const notifications: Migration = {
  version: 69,
  name: "notifications",
  statements: {
    sqlite: [
      // A column cannot be made nullable, so the table is built anew.
      `create table run_event_rebuilt (
        id text primary key,
        owner_id text not null,
        task_id text,
        type text not null,
        data text,
        count bigint not null default 1,
        at bigint not null
      )`,
      "insert into run_event_rebuilt (id, owner_id, task_id, type, data, at) select id, owner_id, task_id, type, data, at from run_event",
      "drop table run_event",
      "alter table run_event_rebuilt rename to run_event",
      "create index run_event_by_owner on run_event (owner_id, id)",
      "create index run_event_by_time on run_event (at, id)",
      ...tables(),
    ],
    postgres: [
      "alter table run_event alter column task_id drop not null",
      "alter table run_event add column count bigint not null default 1",
      ...tables(),
    ],
  },
};

function tables(): string[] {
  return [
    // `open_key` names the group while further events join it.
    `create table notification (
      id text primary key,
      owner_id text not null references workspace (id),
      kind text not null,
      open_key text unique,
      title text not null,
      message text not null,
      task_id text,
      workflow_id text,
      step_id text,
      subject_id text,
      approvers text,
      count bigint not null,
      first_at bigint not null,
      last_at bigint not null
    )`,
    "create index notification_by_owner on notification (owner_id, last_at, id)",
    "create index notification_by_age on notification (last_at)",
    // `count` is that of the notification when it was read: one that has grown since is unread again.
    `create table notification_read (
      notification_id text not null references notification (id) on delete cascade,
      owner_id text not null,
      user_id text not null,
      count bigint not null,
      read_at bigint not null,
      primary key (notification_id, user_id),
      ${OF_MEMBER}
    )`,
    "create index notification_read_by_member on notification_read (owner_id, user_id)",
    `create table notification_person (
      owner_id text not null,
      user_id text not null,
      muted text not null default '[]',
      mail_frequency text not null default 'immediate',
      mail_due_at bigint,
      last_mail_at bigint not null default 0,
      mail_attempts bigint not null default 0,
      primary key (owner_id, user_id),
      ${OF_MEMBER}
    )`,
    "create index notification_person_due on notification_person (mail_due_at) where mail_due_at is not null",
    // What the next mail to a member contains.
    `create table notification_mail (
      notification_id text not null references notification (id) on delete cascade,
      owner_id text not null,
      user_id text not null,
      primary key (notification_id, user_id),
      ${OF_MEMBER}
    )`,
    "create index notification_mail_by_member on notification_mail (owner_id, user_id)",
  ];
}
