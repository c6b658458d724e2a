import type { Migration } from "../migrate.ts";

/** What a key opens. Keys from before open the public endpoints and nothing else. */
export const apiKeyScopes: Migration = {
  version: 35,
  name: "api key scopes",
  statements: [
    `alter table api_key add column scopes text not null default '["endpoints"]'`,
    // A caller of /mcp or /v1 names no owner: the key alone says whose it is.
    "create index api_key_by_hash_alone on api_key (hash)",
  ],
};
