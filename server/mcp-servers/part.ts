import type { McpTool } from "../../contract/mcp-servers.ts";
import type { ConnectionsPart } from "../connections/part.ts";
import { createMcpClients, type McpClients } from "../mcp-client/mcp-clients.ts";
import type { Part, Platform } from "../platform/part.ts";
import { isAdministrator } from "../storage/administrator.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { mcpServerOauthRoutes } from "./mcp-server-oauth.routes.ts";
import { mcpServerRoutes } from "./mcp-server.routes.ts";
import { createMcpServerStore } from "./mcp-server.sql.ts";
import { createMcpServers, type McpServers } from "./mcp-servers.ts";
import { createOauthFetch } from "./oauth-fetch.ts";
import { createOffers } from "./offers.ts";
import { createServerCalls, type ServerCalls } from "./server-calls.ts";
import { createServerWarnings, type GraphWarnings } from "./server-warnings.ts";
import { createStdioServers } from "./stdio-servers.ts";

export interface McpServersPart extends Part {
  clients: McpClients;
  calls: ServerCalls;
  /** Throws `mcp_server_not_found` or `forbidden`. */
  get: McpServers["get"];
  warningsOf: GraphWarnings;
  /** The tools of a server with its name. */
  namedTools(ownerId: string, serverId: string): Promise<{ name: string; tools: McpTool[] }>;
}

/** Stored MCP servers: their credentials, their lists, and calls of them. */
export function createMcpServersPart(
  { config, clock, db, box, egress, tracing }: Platform,
  connections: Pick<ConnectionsPart, "use" | "requireHttp">,
): McpServersPart {
  const store = createMcpServerStore(db);
  const fetch = createOauthFetch(egress);
  const stdio = createStdioServers({
    commands: config.stdioServers,
    isAdministrator: (ownerId) => isAdministrator(db, ownerId),
  });
  const servers = createMcpServers({
    store,
    box,
    clock,
    fetch,
    requireStdio: stdio.require,
    requireConnection: connections.requireHttp,
  });
  const clients = createMcpClients({ egress, clock, tracing });
  const tokens = createAccessTokens({ store, box, clock, fetch });
  const calls = createServerCalls({
    store,
    box,
    clients,
    tokens,
    servers,
    egress,
    stdioTarget: stdio.target,
    useConnection: connections.use,
  });
  const offers = createOffers({ calls, clock });
  return {
    clients,
    calls,
    get: servers.get,
    warningsOf: createServerWarnings({ known: store.knownIds, recentTools: offers.recentTools }),
    async namedTools(ownerId, serverId) {
      const { name } = await servers.get(ownerId, serverId);
      return { name, tools: await offers.tools(ownerId, serverId) };
    },
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "mcp_server", ownerId, limit)),
    routes(http) {
      mcpServerRoutes(http, { servers, offers, stdioNames: stdio.names });
      mcpServerOauthRoutes(http, { servers, offers, publicUrl: config.publicUrl });
    },
  };
}
