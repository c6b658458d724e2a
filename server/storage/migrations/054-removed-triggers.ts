import type { Migration } from "../migrate.ts";

/** A removed trigger stays until the vendor has ended its subscription; it is shown to nobody. */
export const removedTriggers: Migration = {
  version: 54,
  name: "removed triggers",
  statements: ["alter table triggers add column removed_at bigint"],
};
