import type { Migration } from "../migrate.ts";

export const documents: Migration = {
  version: 4,
  name: "documents",
  statements: [
    // `number` identifies the document in the word index, whose entries have only a numeric row id.
    `create table document (
      id text primary key,
      number bigint not null unique,
      owner_id text not null references account (id),
      sha256 text not null,
      status text not null,
      title text not null,
      metadata text not null,
      bytes bigint not null,
      pages bigint not null,
      pages_without_text text not null,
      chunks bigint not null,
      terms bigint not null,
      model_id text,
      dimensions bigint,
      error text,
      attempts bigint not null,
      created_at bigint not null
    )`,
    "create unique index document_by_hash on document (owner_id, sha256)",
    "create index document_by_owner on document (owner_id, id)",
    "create index document_unfinished on document (status, id) where status <> 'indexed'",
    `create table document_tag (
      owner_id text not null,
      tag text not null,
      document_id text not null references document (id) on delete cascade,
      primary key (owner_id, tag, document_id)
    )`,
    "create index document_tag_by_document on document_tag (document_id)",
    `create table document_page (
      document_id text not null references document (id) on delete cascade,
      page bigint not null,
      width double precision not null,
      height double precision not null,
      text text not null,
      runs text not null,
      primary key (document_id, page)
    )`,
    `create table document_chunk (
      document_id text not null references document (id) on delete cascade,
      ordinal bigint not null,
      id text not null unique,
      text text not null,
      spans text not null,
      terms text not null,
      primary key (document_id, ordinal)
    )`,
    // The number of an owner's chunks that contain a term. Counting them takes milliseconds per question.
    `create table document_term (
      owner_id text not null,
      term text not null,
      chunks bigint not null,
      primary key (owner_id, term)
    )`,
    `create table document_vectors (
      document_id text primary key references document (id) on delete cascade,
      vectors bytea not null
    )`,
  ],
};
