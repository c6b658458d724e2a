import type { Migration } from "../migrate.ts";

/** Sessions that have not ended, for the list of running work: most sessions have. */
export const openSessions: Migration = {
  version: 77,
  name: "open sessions",
  statements: ["create index session_open on session (owner_id, id) where status in ('waiting', 'active')"],
};
