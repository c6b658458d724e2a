import type { Migration } from "../migrate.ts";

/** A row for each login whose token is still valid. Tokens from before this version carry no session. */
export const loginSessions: Migration = {
  version: 14,
  name: "login sessions",
  statements: [
    `create table login_session (
      id text primary key,
      user_id text not null references account (id),
      user_agent text,
      address text,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    "create index login_session_by_user on login_session (user_id, id)",
    "alter table account add column tokens_valid_from bigint",
  ],
};
