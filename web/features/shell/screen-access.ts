import type { Operation } from "../../api/permissions.ts";

/** Screens that show what not every role may read, with the operation that reads it. */
const READS: readonly (readonly [path: string, operation: Operation])[] = [
  ["/connections", "listConnections"],
  ["/variables", "listVariables"],
  ["/clients/calls", "listClientCalls"],
  ["/settings/api-keys", "listApiKeys"],
  ["/settings/audit-log", "listAuditEvents"],
  ["/settings/events", "listEventSubscriptions"],
  ["/settings/mcp-servers", "listMcpServers"],
];

/** What a role must be able to do to open a screen; undefined for screens that everyone may read. */
export function operationOf(location: string): Operation | undefined {
  return READS.find(([path]) => location === path || location.startsWith(`${path}/`))?.[1];
}
