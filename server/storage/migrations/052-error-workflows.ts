import type { Migration } from "../migrate.ts";

/** The error workflow of an account, failed runs for which one has not started yet, and runs that count for a limit. */
export const errorWorkflows: Migration = {
  version: 52,
  name: "error workflows",
  statements: [
    "alter table account add column error_workflow_id text",
    `create table failed_run (
      task_id text not null,
      epoch bigint not null,
      owner_id text not null,
      failed_at bigint not null,
      primary key (task_id, epoch)
    )`,
    "create index failed_run_oldest on failed_run (failed_at)",
    `create table run_group (
      group_key text primary key,
      locked_at bigint not null
    )`,
    `create table run_group_member (
      task_id text primary key,
      group_key text not null,
      owner_id text not null,
      max_running bigint not null,
      state text not null,
      created_at bigint not null
    )`,
    "create index run_group_member_order on run_group_member (group_key, created_at, task_id)",
  ],
};
