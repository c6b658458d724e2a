import type { Migration } from "../migrate.ts";

/**
 * Apps that users made from OpenAPI documents. `operations` is what lists show; a step reads only its own row of
 * `api_app_action`. `shape` is equal for two versions of an action that send the same request with the same fields.
 */
export const apiApps: Migration = {
  version: 61,
  name: "api apps",
  statements: [
    `create table api_app (
      id text primary key,
      owner_id text not null references workspace (id),
      title text not null,
      source_url text,
      server text not null,
      servers text not null,
      definition text not null,
      operations text not null,
      operation_count bigint not null,
      refused text not null,
      hidden text not null,
      read_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index api_app_by_owner on api_app (owner_id, id)",
    `create table api_app_action (
      app_id text not null references api_app (id) on delete cascade,
      id text not null,
      shape text not null,
      definition text not null,
      primary key (app_id, id)
    )`,
  ],
};
