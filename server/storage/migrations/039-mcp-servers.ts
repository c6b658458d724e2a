import type { Migration } from "../migrate.ts";

/** MCP servers that workflows and agents refer to by id. `headers`, `oauth` and `pending` are sealed. */
export const mcpServers: Migration = {
  version: 39,
  name: "mcp servers",
  statements: [
    `create table mcp_server (
      id text primary key,
      owner_id text not null references account (id),
      name text not null,
      url text,
      stdio text,
      auth text not null,
      header_names text not null,
      headers text,
      oauth text,
      is_connected bigint not null default 0,
      oauth_version bigint not null default 0,
      refresh_until bigint not null default 0,
      pending text,
      pending_state_hash text unique,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    "create index mcp_server_by_owner on mcp_server (owner_id, id)",
  ],
};
