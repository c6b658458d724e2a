import type { Migration } from "../migrate.ts";

/** How many tasks a process runs at once; 0 for one that only accepts them. */
export const workerSlots: Migration = {
  version: 73,
  name: "worker slots",
  statements: ["alter table worker add column slots bigint not null default 0"],
};
