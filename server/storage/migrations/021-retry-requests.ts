import type { Migration } from "../migrate.ts";

/** Retries that a person made due at once, one JSON line each. In the row: a claim reads them without another query. */
export const retryRequests: Migration = {
  version: 21,
  name: "retry requests",
  statements: ["alter table task add column retry_requests text"],
};
