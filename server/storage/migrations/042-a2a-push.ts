import type { Migration } from "../migrate.ts";

export const a2aPush: Migration = {
  version: 42,
  name: "a2a push notifications",
  statements: [
    // Webhooks that callers register for their tasks. `due_at` is the next look at the task; null once it has ended.
    `create table a2a_push_config (
      id text primary key,
      owner_id text not null,
      agent_id text not null,
      caller text not null,
      task_id text not null,
      context_id text not null,
      config_id text not null,
      url text not null,
      sealed text not null,
      protocol text not null,
      reported text,
      due_at bigint,
      created_at bigint not null
    )`,
    "create unique index a2a_push_config_once on a2a_push_config (task_id, config_id)",
    "create index a2a_push_config_due on a2a_push_config (due_at) where due_at is not null",
    "create index a2a_push_config_by_owner on a2a_push_config (owner_id, id)",
    "create index a2a_push_config_by_context on a2a_push_config (context_id)",
  ],
};
