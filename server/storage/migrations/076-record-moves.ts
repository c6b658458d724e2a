import type { Migration } from "../migrate.ts";

/**
 * Teams and documents that were moved from another workspace: `former_owner_id` is set while sessions, or entries of the
 * word index, are still there. `copied_from` is the document whose content a copy takes over.
 */
export const recordMoves: Migration = {
  version: 76,
  name: "record moves",
  statements: [
    "alter table team add column former_owner_id text",
    "create index team_being_moved on team (id) where former_owner_id is not null",
    "alter table document add column former_owner_id text",
    // Chunks before this ordinal are in the word index of the new owner.
    "alter table document add column moved_chunks bigint not null default 0",
    "alter table document add column copied_from text",
  ],
};
