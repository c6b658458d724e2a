import type { Migration } from "../migrate.ts";

/** The address that used an API key last, for people who look for a leaked one. */
export const keyLastUsedFrom: Migration = {
  version: 75,
  name: "key last used from",
  statements: ["alter table api_key add column last_used_from text"],
};
