import type { Migration } from "../migrate.ts";

export const schedules: Migration = {
  version: 6,
  name: "schedules",
  statements: [
    `create table schedule (
      id text primary key,
      owner_id text not null references account (id),
      workflow_id text not null references workflow (id),
      name text not null,
      cron text not null,
      timezone text not null,
      input text not null,
      active bigint not null,
      misfire text not null,
      next_run_at bigint,
      last_run_at bigint,
      last_task_id text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index schedule_by_owner on schedule (owner_id, id)",
    "create index schedule_due on schedule (next_run_at) where next_run_at is not null",
  ],
};
