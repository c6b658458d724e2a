import type { Migration } from "../migrate.ts";

/** Endpoint settings of an exported workflow. */
export const templateApiSettings: Migration = {
  version: 81,
  name: "template api settings",
  statements: ["alter table template add column api_settings text"],
};
