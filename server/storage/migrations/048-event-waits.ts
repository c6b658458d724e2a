import type { Migration } from "../migrate.ts";

/** Steps that wait for an event, and events that no step has taken yet. */
export const eventWaits: Migration = {
  version: 48,
  name: "event waits",
  statements: [
    `create table event_wait (
      task_id text not null,
      path text not null,
      owner_id text not null,
      name text not null,
      key text not null,
      due_at bigint,
      opened_at bigint not null,
      event_id text,
      data text,
      received_at bigint,
      timed_out bigint not null default 0,
      primary key (task_id, path)
    )`,
    "create index event_wait_open on event_wait (owner_id, name, key, opened_at) where received_at is null",
    "create index event_wait_event on event_wait (event_id) where event_id is not null",
    `create table event (
      id text primary key,
      owner_id text not null,
      name text not null,
      key text not null,
      data text,
      bytes bigint not null,
      sent_id text,
      created_at bigint not null,
      expires_at bigint not null,
      taken_at bigint
    )`,
    "create index event_kept on event (owner_id, name, key, created_at) where taken_at is null",
    "create unique index event_sent_id on event (owner_id, sent_id) where sent_id is not null",
    "create index event_expiry on event (expires_at)",
    `create table event_lock (
      owner_id text primary key,
      locked_at bigint not null
    )`,
  ],
};
