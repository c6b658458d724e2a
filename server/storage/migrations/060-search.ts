import type { Migration } from "../migrate.ts";

/**
 * The texts by which workflows are found, filled by the search. `version` is the `updated_at` of the workflow that a row was
 * made from. A folder without workflows is a row of its own.
 */
export const search: Migration = {
  version: 60,
  name: "search",
  statements: [
    `create table workflow_search (
      workflow_id text primary key,
      owner_id text not null,
      version bigint not null,
      index_version bigint not null,
      text text not null
    )`,
    "create index workflow_search_by_owner on workflow_search (owner_id)",
    // With the time of the last change, which tells outdated rows without reading a graph.
    "drop index workflow_by_owner",
    "create index workflow_by_owner on workflow (owner_id, id, updated_at) where deleted_at is null",
    `create table workflow_folder (
      owner_id text not null,
      path text not null,
      created_at bigint not null,
      primary key (owner_id, path)
    )`,
    // Counts the workflows of each folder without reading their rows.
    "create index workflow_by_folder on workflow (owner_id, folder, id) where deleted_at is null",
  ],
};
