import type { Migration } from "../migrate.ts";

/**
 * A document is taken in by whoever claims it: `epoch` counts the claims, `claimed_at` is renewed while the claim is held,
 * and with it how far the work is. `document_change` tells every process which vectors it has to read again or to forget.
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
