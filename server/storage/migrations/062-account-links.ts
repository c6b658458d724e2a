import type { Migration } from "../migrate.ts";

/**
 * Single-use links to reset a password or confirm an address, as hashes. `email` is the address that a link was mailed to.
 * Until now the oldest account was the administrator.
 */
export const accountLinks: Migration = {
  version: 62,
  name: "account links",
  statements: [
    "alter table account add column email_confirmed_at bigint",
    "alter table account add column is_administrator bigint not null default 0",
    `update account set is_administrator = 1
     where id = (select id from account where password_hash <> '' order by created_at, id limit 1)`,
    `create table account_link (
      hash text primary key,
      user_id text not null references account (id),
      purpose text not null,
      email text,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    "create index account_link_by_user on account_link (user_id, purpose)",
  ],
};
