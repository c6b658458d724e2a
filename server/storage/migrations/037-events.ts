import type { Migration } from "../migrate.ts";

/**
 * Subscriptions to events of runs and approvals, and the events that are not yet in the outbox. An event is written with
 * the change it reports, only for owners with an active subscription.
 */
export const events: Migration = {
  version: 37,
  name: "events",
  statements: [
    `create table event_subscription (
      id text primary key,
      owner_id text not null references account (id),
      url text not null,
      types text not null,
      workflow_id text,
      active bigint not null,
      disabled_reason text,
      secret text not null,
      previous_secret text,
      previous_secret_until bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index event_subscription_by_owner on event_subscription (owner_id, id)",
    `create table run_event (
      id text primary key,
      owner_id text not null,
      task_id text not null,
      type text not null,
      data text,
      at bigint not null
    )`,
    "create index run_event_by_owner on run_event (owner_id, id)",
    "create index run_event_by_time on run_event (at, id)",
  ],
};
