import type { Migration } from "../migrate.ts";

/** Accounts whose data is being deleted. The row goes last, so that an interrupted deletion is found again. */
export const accountDeletions: Migration = {
  version: 19,
  name: "account deletions",
  statements: [
    `create table account_deletion (
      owner_id text primary key,
      requested_at bigint not null,
      claimed_until bigint not null
    )`,
  ],
};
