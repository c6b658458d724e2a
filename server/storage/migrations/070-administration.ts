import type { Migration } from "../migrate.ts";

/**
 * Disabled accounts, invitations to create an account (as hashes of their links), and the measured storage of workspaces.
 * The login of a session that has ended is not known any more, so the last one is a column of the account.
 */
export const administration: Migration = {
  version: 70,
  name: "administration",
  statements: [
    "alter table account add column disabled_at bigint",
    "alter table account add column last_login_at bigint",
    `update account set last_login_at =
       (select max(login_session.created_at) from login_session where login_session.user_id = account.id)`,
    "create index account_disabled on account (id) where disabled_at is not null",
    `create table account_invitation (
      id text primary key,
      token_hash text not null unique,
      email text,
      invited_by text references account (id) on delete cascade,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create table workspace_usage (
      owner_id text primary key references workspace (id) on delete cascade,
      runs bigint not null,
      run_bytes bigint not null,
      journal_rows bigint not null,
      journal_bytes bigint not null,
      files bigint not null,
      file_bytes bigint not null,
      documents bigint not null,
      document_bytes bigint not null,
      measured_at bigint not null
    )`,
  ],
};
