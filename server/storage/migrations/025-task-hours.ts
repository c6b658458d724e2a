import type { Migration } from "../migrate.ts";

/**
 * Statistics: ended tasks by their time of end, and the counts of past hours. `scope` is a workflow, or empty for all
 * workflows of the owner.
 */
export const taskHours: Migration = {
  version: 25,
  name: "task hours",
  statements: [
    `create index task_by_end on task (owner_id, completed_at, workflow_id, status, started_at)
      where completed_at is not null`,
    `create table task_hour (
      owner_id text not null,
      scope text not null,
      hour bigint not null,
      counts text not null,
      primary key (owner_id, scope, hour)
    )`,
  ],
};
