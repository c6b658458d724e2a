import type { Migration } from "../migrate.ts";

/** Values that steps and agents keep between runs. `scope` is `workspace`, or the id of a workflow or an agent. */
export const store: Migration = {
  version: 50,
  name: "store",
  statements: [
    `create table store_value (
      owner_id text not null references account (id),
      scope text not null,
      key text not null,
      value text not null,
      bytes bigint not null,
      expires_at bigint,
      version text not null,
      updated_at bigint not null,
      primary key (owner_id, scope, key)
    )`,
    "create index store_value_expired on store_value (expires_at) where expires_at is not null",
    "create index store_value_usage on store_value (owner_id, bytes)",
    // What a step has written, so that it writes once even if it runs again after a crash.
    `create table store_receipt (
      id text primary key,
      task_id text not null references task (id) on delete cascade,
      result text not null,
      created_at bigint not null
    )`,
    "create index store_receipt_by_task on store_receipt (task_id)",
  ],
};
