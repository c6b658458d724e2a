import type { Migration } from "../migrate.ts";

/**
 * `index_version` is the version of the code that computed a document's terms and vectors; lower ones are indexed again
 * after a start. A chunk's sentences have one vector each. `sentences` holds their signs for the index in memory. The
 * model is part of every row, because the rows of a document are replaced in slices.
 */
export const sentenceVectors: Migration = {
  version: 31,
  name: "sentence vectors",
  statements: [
    "alter table document add column index_version bigint not null default 0",
    "create index document_by_index_version on document (index_version, id) where status = 'indexed'",
    "alter table document_vectors add column sentences bytea",
    `create table document_sentence (
      document_id text not null references document (id) on delete cascade,
      ordinal bigint not null,
      model_id text not null,
      vectors bytea not null,
      primary key (document_id, ordinal)
    )`,
  ],
};
