import type { Migration } from "../migrate.ts";

/** What a session of the team may use, and instructions for each member in this team only. */
export const teamLimits: Migration = {
  version: 28,
  name: "team limits",
  statements: [
    "alter table team add column limits text not null default '{}'",
    "alter table team add column member_instructions text not null default '{}'",
  ],
};
