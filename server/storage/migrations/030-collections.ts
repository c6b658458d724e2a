import type { Migration } from "../migrate.ts";

/** Folders of documents. All documents of a collection belong to its owner; readers may view and ask them. */
export const collections: Migration = {
  version: 30,
  name: "collections",
  statements: [
    `create table collection (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      shared_with_everyone bigint not null default 0,
      upload_key_hash text unique,
      created_at bigint not null
    )`,
    "create index collection_by_owner on collection (owner_id, id)",
    `create table collection_document (
      collection_id text not null references collection (id) on delete cascade,
      document_id text not null references document (id) on delete cascade,
      primary key (collection_id, document_id)
    )`,
    "create index collection_document_by_document on collection_document (document_id)",
    `create table collection_reader (
      collection_id text not null references collection (id) on delete cascade,
      user_id text not null references account (id) on delete cascade,
      primary key (collection_id, user_id)
    )`,
    "create index collection_reader_by_user on collection_reader (user_id)",
  ],
};
