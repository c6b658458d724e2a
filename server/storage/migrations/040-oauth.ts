import type { Migration } from "../migrate.ts";

/** Clients that registered themselves, codes, connected apps (grants) and the hashes of their tokens. */
export const oauth: Migration = {
  version: 40,
  name: "oauth",
  statements: [
    `create table oauth_client (
      id text primary key,
      name text not null,
      redirect_uris text not null,
      auth_method text not null,
      secret_hash text,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    "create index oauth_client_by_expiry on oauth_client (expires_at)",
    `create table oauth_grant (
      id text primary key,
      owner_id text not null references account (id),
      client_id text not null,
      client_name text not null,
      target text not null,
      scopes text not null,
      resource text not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_at bigint not null
    )`,
    "create index oauth_grant_by_owner on oauth_grant (owner_id, id)",
    "create index oauth_grant_by_client on oauth_grant (client_id)",
    "create index oauth_grant_by_expiry on oauth_grant (expires_at)",
    // A used code keeps the grant that it became, so that a second use ends that grant.
    `create table oauth_code (
      hash text primary key,
      owner_id text not null references account (id),
      client_id text not null,
      client_name text not null,
      redirect_uri text not null,
      code_challenge text not null,
      scopes text not null,
      resource text not null,
      expires_at bigint not null,
      grant_id text
    )`,
    "create index oauth_code_by_owner on oauth_code (owner_id)",
    "create index oauth_code_by_expiry on oauth_code (expires_at)",
    // A used refresh token keeps the hash of the next one, so that a second use ends the grant.
    `create table oauth_token (
      hash text primary key,
      grant_id text not null,
      kind text not null,
      expires_at bigint not null,
      replaced_by text
    )`,
    "create index oauth_token_by_grant on oauth_token (grant_id)",
    "create index oauth_token_by_expiry on oauth_token (expires_at)",
  ],
};
