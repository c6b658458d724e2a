import type { Migration } from "../migrate.ts";

export const triggers: Migration = {
  version: 3,
  name: "keys, webhooks and variables",
  statements: [
    `create table api_key (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      prefix text not null,
      hash text not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_at bigint,
      revoked_at bigint
    )`,
    "create index api_key_by_owner on api_key (owner_id, id)",
    "create unique index api_key_by_hash on api_key (owner_id, hash)",
    `create table webhook (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      source text not null,
      workflow_id text not null references workflow (id),
      metadata text not null,
      secret_hash text not null,
      signature_scheme text,
      signature_header text,
      signature_secret text,
      active bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create unique index webhook_by_owner_source on webhook (owner_id, source)",
    "create index webhook_by_owner on webhook (owner_id, id)",
    "create index webhook_by_secret on webhook (source, secret_hash)",
    "create index webhook_by_signature on webhook (source, id) where signature_scheme is not null",
    `create table webhook_delivery (
      id text primary key,
      webhook_id text not null references webhook (id) on delete cascade,
      status text not null,
      reason text,
      headers text not null,
      body text,
      characters bigint not null,
      task_id text,
      redelivery_of text,
      created_at bigint not null
    )`,
    "create index webhook_delivery_by_webhook on webhook_delivery (webhook_id, id)",
    // Pruning counts rows and characters of one kind from this index alone, without touching a body.
    "create index webhook_delivery_by_status on webhook_delivery (webhook_id, status, id, characters)",
    `create table variable (
      owner_id text not null references account (id),
      name text not null,
      secret bigint not null,
      value text not null,
      updated_at bigint not null,
      primary key (owner_id, name)
    )`,
  ],
};
