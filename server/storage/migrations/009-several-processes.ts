import type { Migration } from "../migrate.ts";

/** State shared by processes on the same database: rate limits and the key check. */
export const severalProcesses: Migration = {
  version: 9,
  name: "several processes",
  statements: [
    `create table rate_window (
      name text not null,
      key text not null,
      count bigint not null,
      ends_at bigint not null,
      primary key (name, key)
    )`,
    "create index rate_window_by_end on rate_window (ends_at)",
    "create table key_check (id bigint primary key, sealed text not null)",
  ],
};
