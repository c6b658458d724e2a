import type { Migration } from "../migrate.ts";

/**
 * The process that claims a document ingests it: `epoch` counts the claims; `claimed_at` and the progress columns are
 * renewed while the claim is held. `document_change` lists the vectors that every process must reload or drop.
 */
export const documentsAmongProcesses: Migration = {
  version: 8,
  name: "documents among processes",
  statements: [
    "alter table document add column epoch bigint not null default 0",
    "alter table document add column claimed_at bigint not null default 0",
    "alter table document add column pages_done bigint not null default 0",
    "alter table document add column chunks_done bigint not null default 0",
    `create table document_change (
      number bigint primary key,
      document_id text not null,
      owner_id text not null
    )`,
    // One row. A transaction that increments it locks it until commit, so no number is visible before a smaller one.
    "create table document_change_count (id bigint primary key, last bigint not null)",
  ],
};
