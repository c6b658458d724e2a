import type { Migration } from "../migrate.ts";

/**
 * The authenticator app of a user. `secret` is sealed. It is on once `enabled_at` is set; `last_step` is the time step of the
 * last accepted code, so that no code works twice. Recovery codes are stored as hashes and deleted when used.
 */
export const secondFactor: Migration = {
  version: 56,
  name: "second factor",
  statements: [
    `create table second_factor (
      user_id text primary key references account (id),
      secret text not null,
      enabled_at bigint,
      last_step bigint not null default 0,
      attempts bigint not null default 0,
      attempts_until bigint not null default 0
    )`,
    `create table recovery_code (
      user_id text not null references account (id),
      hash text not null,
      primary key (user_id, hash)
    )`,
  ],
};
