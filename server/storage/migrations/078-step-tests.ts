import type { Migration } from "../migrate.ts";

/** Statistics leave out tests of single steps, so the index of ended tasks has their trigger. Stored hours are counted again. */
export const stepTests: Migration = {
  version: 78,
  name: "step tests",
  statements: [
    "drop index task_by_end",
    `create index task_by_end on task (owner_id, completed_at, workflow_id, status, started_at, trigger)
      where completed_at is not null`,
    "delete from task_hour",
  ],
};
