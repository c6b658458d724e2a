import type { Migration } from "../migrate.ts";

export const runFiles: Migration = {
  version: 47,
  name: "files between steps",
  statements: [
    // `unlinked_at` is null while a task uses the file, else the time since when none does; -1 while it is deleted.
    `create table run_file (
      id text primary key,
      owner_id text not null,
      name text not null,
      content_type text not null,
      size bigint not null,
      unlinked_at bigint,
      created_at bigint not null
    )`,
    "create index run_file_by_owner on run_file (owner_id, id, size)",
    "create index run_file_unlinked on run_file (unlinked_at) where unlinked_at is not null",
    `create table task_file (
      task_id text not null,
      file_id text not null,
      primary key (task_id, file_id)
    )`,
    "create index task_file_by_file on task_file (file_id)",
  ],
};
