import type { Migration } from "../migrate.ts";

/** Who an API key acts as and from where. A key from before acts as the person who created it, from every address. */
export const apiKeyAccess: Migration = {
  version: 64,
  name: "api key access",
  statements: [
    `create table service_account (
      id text primary key,
      owner_id text not null references workspace (id),
      name text not null,
      role text not null,
      created_by text,
      created_at bigint not null
    )`,
    "create index service_account_by_owner on service_account (owner_id, id)",
    // Without a reference: a deleted service account keeps its revoked keys in the list.
    "alter table api_key add column service_account_id text",
    "create index api_key_by_service_account on api_key (service_account_id)",
    // Null: all workflows, all addresses.
    "alter table api_key add column workflow_ids text",
    "alter table api_key add column addresses text",
  ],
};
