import type { Migration } from "../migrate.ts";

/** The files of a watched folder that were uploaded or refused, with their size and time at that moment. */
export const watchedFiles: Migration = {
  version: 33,
  name: "watched files",
  statements: [
    `create table watched_file (
      folder text not null,
      name text not null,
      state text not null,
      primary key (folder, name)
    )`,
  ],
};
