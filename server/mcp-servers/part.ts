import { createMcpClients, type McpClients } from "../mcp-client/mcp-clients.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { mcpServerRoutes } from "./mcp-server.routes.ts";
import { createMcpServerStore } from "./mcp-server.sql.ts";
import { createMcpServers } from "./mcp-servers.ts";
import { createOauthFetch } from "./oauth-fetch.ts";
import { createOffers, type Offers } from "./offers.ts";
import { createServerCalls, type ServerCalls } from "./server-calls.ts";
import { createStdioServers } from "./stdio-servers.ts";

export interface McpServersPart extends Part {
  clients: McpClients;
  calls: ServerCalls;
  offers: Offers;
}

/** Stored MCP servers: their credentials, their lists, and calls of them. */
export function createMcpServersPart({ config, clock, db, box, egress }: Platform): McpServersPart {
  const store = createMcpServerStore(db);
  const fetch = createOauthFetch(egress);
  const stdio = createStdioServers({ commands: config.stdioServers, isAdministrator: store.isAdministrator });
  const servers = createMcpServers({ store, box, clock, fetch, requireStdio: stdio.require });
  const clients = createMcpClients({ egress, clock });
  const tokens = createAccessTokens({ store, box, clock, fetch });
  const calls = createServerCalls({ store, box, clients, tokens, servers, stdioTarget: stdio.target });
  const offers = createOffers({ calls, clock });
  return {
    clients,
    calls,
    offers,
    eraseOwner: (ownerId, steps) => steps.deleteAll((limit) => deleteOwned(db, "mcp_server", ownerId, limit)),
    routes(http) {
      mcpServerRoutes(http, { servers, offers, publicUrl: config.publicUrl, stdioNames: stdio.names });
    },
  };
}
