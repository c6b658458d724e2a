import type { Migration } from "../migrate.ts";

export const accountsAndWorkflows: Migration = {
  version: 1,
  name: "accounts and workflows",
  statements: [
    `create table account (
      id text primary key,
      email text not null unique,
      name text,
      password_hash text not null,
      created_at bigint not null
    )`,
    // A deleted workflow keeps its row and versions: its unfinished tasks still run the version they began with.
    `create table workflow (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      description text not null,
      version bigint not null,
      graph text not null,
      api_enabled bigint not null,
      endpoint_name text,
      endpoint_slug text,
      api_authentication bigint not null,
      api_sync bigint not null,
      response_step_id text,
      created_at bigint not null,
      updated_at bigint not null,
      deleted_at bigint
    )`,
    "create index workflow_by_owner on workflow (owner_id, id) where deleted_at is null",
    `create unique index workflow_by_slug on workflow (endpoint_slug)
      where api_enabled = 1 and endpoint_slug is not null and deleted_at is null`,
    `create table workflow_version (
      workflow_id text not null references workflow (id),
      version bigint not null,
      name text not null,
      description text not null,
      graph text not null,
      note text not null,
      created_at bigint not null,
      created_by text not null,
      primary key (workflow_id, version)
    )`,
    `create table template (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      description text not null,
      category text not null,
      graph text not null,
      versions text not null,
      created_at bigint not null
    )`,
    "create index template_by_owner on template (owner_id, id)",
  ],
};
