import type { Migration } from "../migrate.ts";

/** Triggers that check a source, and the items they found. `secrets` is sealed. */
export const storedTriggers: Migration = {
  version: 46,
  name: "stored triggers",
  statements: [
    `create table triggers (
      id text primary key,
      owner_id text not null references account (id),
      workflow_id text references workflow (id),
      kind text not null,
      name text not null,
      slug text unique,
      settings text not null,
      secrets text,
      active bigint not null,
      position text,
      next_check_at bigint,
      claim text,
      claimed_until bigint,
      last_check_at bigint,
      last_item_at bigint,
      last_error text,
      failures bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index triggers_by_owner on triggers (owner_id, id)",
    "create index triggers_by_workflow on triggers (workflow_id, id)",
    "create index triggers_due on triggers (next_check_at) where next_check_at is not null",
    "create index triggers_claimed on triggers (owner_id, claimed_until) where claimed_until is not null",
    // An item is a row before its run starts, so that a crash in between starts it once. The input is kept until then.
    `create table trigger_item (
      id text primary key,
      trigger_id text not null references triggers (id) on delete cascade,
      item_key text not null,
      title text not null,
      input text,
      task_id text,
      created_at bigint not null,
      unique (trigger_id, item_key)
    )`,
    "create index trigger_item_by_trigger on trigger_item (trigger_id, id)",
    "create index trigger_item_pending on trigger_item (trigger_id, id) where task_id is null",
  ],
};
