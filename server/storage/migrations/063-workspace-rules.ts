import type { Migration } from "../migrate.ts";

/** Limits and retention of single workspaces, set by the administrator. Null and absent values are those of the instance. */
export const workspaceRules: Migration = {
  version: 63,
  name: "workspace rules",
  statements: [
    "alter table workspace add column limits text not null default '[]'",
    "alter table workspace add column retention_days bigint",
    // The sessions of one workspace that have expired.
    "create index session_by_owner on session (owner_id, id)",
  ],
};
