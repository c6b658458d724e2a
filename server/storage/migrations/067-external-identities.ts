import type { Migration } from "../migrate.ts";

/** The user of a login provider that an account belongs to, and how each login was made. */
export const externalIdentities: Migration = {
  version: 67,
  name: "external identities",
  statements: [
    `create table external_identity (
      issuer text not null,
      subject text not null,
      user_id text not null references account (id),
      created_at bigint not null,
      primary key (issuer, subject)
    )`,
    "create index external_identity_by_user on external_identity (user_id)",
    "alter table login_session add column method text not null default 'password'",
  ],
};
