import type { Migration } from "../migrate.ts";

/** Slots are divided among owners, and all tasks that one call started are counted together. */
export const tasksByOwner: Migration = {
  version: 15,
  name: "tasks by owner",
  statements: [
    "create index task_due_by_owner on task (lane, owner_id, run_at) where run_at is not null",
    "alter table task add column root_task_id text",
    // Crashes of a process while many tasks of one recursive run were running, counted at the first task.
    "alter table task add column family_crashes bigint not null default 0",
    // The tasks that have not ended come first.
    "create index task_by_root on task (root_task_id, completed_at) where root_task_id is not null",
  ],
};
