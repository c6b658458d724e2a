import type { Migration } from "../migrate.ts";

/** Statistics leave out draft runs and the runs that tests start: the index gets the columns that identify them, and stored hours are counted again. */
export const draftRuns: Migration = {
  version: 80,
  name: "draft runs",
  statements: [
    "drop index task_by_end",
    `create index task_by_end on task
       (owner_id, completed_at, workflow_id, status, started_at, trigger, workflow_version, root_task_id)
      where completed_at is not null`,
    "delete from task_hour",
  ],
};
