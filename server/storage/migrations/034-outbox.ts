import type { Migration } from "../migrate.ts";

/** Messages to addresses of users, each sent until its receiver accepts it. `due_at` is null once a message has ended. */
export const outbox: Migration = {
  version: 34,
  name: "outbox",
  statements: [
    `create table outbox_delivery (
      id text primary key,
      owner_id text not null,
      kind text not null,
      target_id text not null,
      label text not null,
      subject text,
      content_type text not null,
      body text not null,
      status text not null,
      attempts bigint not null,
      due_at bigint,
      last_attempt_at bigint,
      response_status bigint,
      response_excerpt text,
      error text,
      created_at bigint not null
    )`,
    "create index outbox_delivery_due on outbox_delivery (due_at) where due_at is not null",
    "create index outbox_delivery_due_by_owner on outbox_delivery (owner_id, due_at) where due_at is not null",
    "create index outbox_delivery_by_owner on outbox_delivery (owner_id, id)",
    "create index outbox_delivery_by_target on outbox_delivery (kind, target_id, id)",
    "create index outbox_delivery_by_age on outbox_delivery (created_at) where due_at is null",
  ],
};
