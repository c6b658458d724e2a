import type { Migration } from "../migrate.ts";

/**
 * What clients of other protocols may use, and the calls that came in. A record without a row is exposed nowhere. The
 * name is a tool or model name: unique among the records of one owner.
 */
export const exposures: Migration = {
  version: 36,
  name: "exposures",
  statements: [
    `create table exposure (
      owner_id text not null references account (id),
      kind text not null,
      record_id text not null,
      mcp bigint not null default 0,
      a2a bigint not null default 0,
      chat bigint not null default 0,
      name text not null,
      description text,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (owner_id, kind, record_id)
    )`,
    "create unique index exposure_by_name on exposure (owner_id, name)",
    `create table client_call (
      id text primary key,
      owner_id text not null references account (id),
      protocol text not null,
      method text not null,
      kind text,
      record_id text,
      record_name text,
      caller_id text,
      caller_name text not null,
      task_id text,
      status text not null,
      error_code text,
      duration_ms bigint not null,
      at bigint not null
    )`,
    "create index client_call_by_owner on client_call (owner_id, id)",
  ],
};
