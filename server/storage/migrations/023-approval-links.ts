import type { Migration } from "../migrate.ts";

/** What a person sees before deciding, the link that decides without a login, and the email that carries it. */
export const approvalLinks: Migration = {
  version: 23,
  name: "approval links",
  statements: [
    "alter table approval add column context text",
    "alter table approval add column due_at bigint",
    "alter table approval add column link_id text",
    "alter table approval add column notice_attempts bigint not null default 0",
    "alter table approval add column notice_retry_at bigint",
    "alter table approval add column notice_sent_at bigint",
    "alter table approval add column notice_error text",
    "create unique index approval_by_link on approval (link_id) where link_id is not null",
  ],
};
