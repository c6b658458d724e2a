import type { Migration } from "../migrate.ts";

/** The question that the caller of an A2A task saw last: its answer decides no later one. */
export const a2aShownQuestion: Migration = {
  version: 44,
  name: "a2a shown question",
  statements: ["alter table a2a_task add column shown text"],
};
