import type { Migration } from "../migrate.ts";

/**
 * A paused workflow is started by no trigger; a schedule records the time and the reason of a run that it skipped.
 * Folder and tags sort the list of workflows. They are not part of a version.
 */
export const workflowLibrary: Migration = {
  version: 26,
  name: "workflow library",
  statements: [
    "alter table workflow add column active bigint not null default 1",
    "alter table workflow add column folder text not null default ''",
    "alter table workflow add column tags text not null default '[]'",
    "alter table template add column folder text not null default ''",
    "alter table template add column tags text not null default '[]'",
    "alter table schedule add column last_skipped_at bigint",
    "alter table schedule add column last_skip_reason text",
  ],
};
