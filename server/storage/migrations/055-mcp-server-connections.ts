import type { Migration } from "../migrate.ts";

/** The connection whose credential an MCP server gets, in place of its own headers and tokens. */
export const mcpServerConnections: Migration = {
  version: 55,
  name: "connections of MCP servers",
  statements: ["alter table mcp_server add column connection_id text"],
};
