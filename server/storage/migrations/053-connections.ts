import type { Migration } from "../migrate.ts";

/**
 * Credentials that steps, triggers and agents refer to by id. `secrets`, `tokens` and `pending` are sealed. `tokens_version`
 * increments with every change of `tokens`; `refresh_until` is the lease of the process that refreshes them.
 */
export const connections: Migration = {
  version: 53,
  name: "connections",
  statements: [
    `create table connection (
      id text primary key,
      owner_id text not null references account (id),
      kind text not null,
      name text not null,
      app text,
      hosts text not null,
      fields text not null,
      settings text not null,
      secrets text not null,
      status text not null,
      account text,
      problem_at bigint,
      problem text,
      last_test_at bigint,
      last_used_at bigint,
      tokens text,
      tokens_version bigint not null default 0,
      expires_at bigint,
      refresh_until bigint not null default 0,
      pending text,
      pending_state_hash text unique,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index connection_by_owner on connection (owner_id, id)",
    // Clients of this instance at the authorization servers of apps. They belong to no user.
    `create table app_oauth_client (
      app text primary key,
      client_id text not null,
      client_secret text not null,
      updated_at bigint not null
    )`,
  ],
};
