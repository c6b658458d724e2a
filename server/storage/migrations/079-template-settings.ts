import type { Migration } from "../migrate.ts";

/** Run settings and form of an exported workflow. */
export const templateSettings: Migration = {
  version: 79,
  name: "template settings",
  statements: ["alter table template add column settings text", "alter table template add column form text"],
};
