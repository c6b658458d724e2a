import type { Migration } from "../migrate.ts";

/** What the due time decides, and how often the emails of an approval were requested again. */
export const approvalEmails: Migration = {
  version: 82,
  name: "approval emails",
  statements: [
    "alter table approval add column on_timeout text",
    "alter table approval add column notice_round bigint not null default 0",
    "alter table approval_link add column notice_round bigint not null default 0",
  ],
};
