import type { Migration } from "../migrate.ts";

/** The process that queued a task: only it is notified of the end of a task that a caller may wait for. */
export const taskWaiters: Migration = {
  version: 72,
  name: "task waiters",
  statements: ["alter table task add column accepted_by text"],
};
