import type { Operation } from "../../api/permissions.ts";

/** Screens that not every role may use, with the operation that they need. */
const READS: readonly (readonly [path: string, operation: Operation])[] = [
  ["/workflows/import-n8n", "importN8nWorkflow"],
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
