import type { Migration } from "../migrate.ts";

/** Workflows that were moved from a workspace and whose runs are still being moved. */
export const workflowMoves: Migration = {
  version: 71,
  name: "workflow moves",
  statements: [
    `create table workflow_move (
      workflow_id text not null references workflow (id) on delete cascade,
      owner_id text not null references workspace (id) on delete cascade,
      copied_files text not null default '[]',
      claimed_until bigint not null default 0,
      created_at bigint not null,
      primary key (workflow_id, owner_id)
    )`,
  ],
};
