import type { Migration } from "../migrate.ts";

/**
 * A published or discarded draft keeps its row without a graph, so that no revision is used twice: the snapshot that a
 * run of revision 7 uses is version -7. The indexes hold only such snapshots and their tasks.
 */
export const workflowDrafts: Migration = {
  version: 24,
  name: "workflow drafts",
  statements: [
    `create table workflow_draft (
      workflow_id text primary key references workflow (id),
      base_version bigint not null,
      name text not null,
      description text not null,
      graph text,
      revision bigint not null,
      updated_at bigint not null,
      updated_by text not null
    )`,
    "create index workflow_version_snapshot on workflow_version (created_at) where version < 0",
    "create index task_of_snapshot on task (workflow_id, workflow_version) where workflow_version < 0",
  ],
};
