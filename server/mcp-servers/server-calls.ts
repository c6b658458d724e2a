import type { McpClients, McpSession } from "../mcp-client/mcp-clients.ts";
import type { McpCallOptions, McpTarget, StdioTarget } from "../mcp-client/mcp-target.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { connectionWebFetch } from "../connections/connection-fetch.ts";
import type { ConnectionUses } from "../connections/connection-uses.ts";
import { createRedactor } from "../security/redact.ts";
import { redactError } from "../security/redact-result.ts";
import type { Egress } from "../security/egress.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { type AccessTokens, authorizationRequired } from "./access-tokens.ts";
import type { McpServerRecord, McpServerStore } from "./mcp-server.sql.ts";
import type { McpServers } from "./mcp-servers.ts";
import { openJson } from "./oauth-state.ts";

export interface ServerCallsDeps {
  store: Pick<McpServerStore, "get">;
  box: SecretBox;
  clients: McpClients;
  tokens: AccessTokens;
  servers: Pick<McpServers, "requireScope">;
  /** Throws `forbidden` when this owner may not use the stdio server with this name. */
  stdioTarget(ownerId: string, name: string): Promise<StdioTarget>;
  egress: Pick<Egress, "webFetch">;
  useConnection: ConnectionUses["use"];
}

export interface ServerCall extends McpCallOptions {
  ownerId: string;
  serverId: string;
}

export type ServerCalls = ReturnType<typeof createServerCalls>;

/** Calls of stored MCP servers, with their credentials. */
export function createServerCalls({
  store,
  box,
  clients,
  tokens,
  servers,
  stdioTarget,
  egress,
  useConnection,
}: ServerCallsDeps) {
  /** Where the server is, and the secrets that it gets. */
  async function openTarget(server: McpServerRecord): Promise<{ target: McpTarget; secrets(): string[] }> {
    if (server.stdio !== null)
      return { target: await stdioTarget(server.ownerId, server.stdio), secrets: () => [] };
    const http = { kind: "http" as const, url: new URL(server.url ?? "") };
    if (server.auth === "oauth") {
      const authProvider = tokens.providerFor(server);
      return { target: { ...http, headers: {}, authProvider }, secrets: authProvider.secrets };
    }
    if (server.auth === "connection") {
      if (server.connectionId === null) throw notFound("connection");
      const use = await useConnection(server.ownerId, server.connectionId);
      const fetch = connectionWebFetch(egress.webFetch, use);
      return { target: { ...http, headers: {}, fetch }, secrets: use.secrets };
    }
    const headers =
      server.auth === "headers" && server.headers !== null
        ? (openJson(box, server, "headers", server.headers) as Record<string, string>)
        : {};
    return { target: { ...http, headers }, secrets: () => Object.values(headers).flatMap(secretsIn) };
  }

  return {
    /** A server that returns its own credentials, in a result or an error, does not get them into a run. */
    async call<T>(
      { ownerId, serverId, ...options }: ServerCall,
      use: (session: McpSession) => Promise<T>,
    ): Promise<T> {
      const server = await store.get(serverId, ownerId);
      const { target, secrets } = await openTarget(server);
      try {
        const result = await clients.call(target, options, use);
        return await createRedactor(secrets()).valueInTurns(result);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw redactError(error, secrets());
        if (refusal.scope !== undefined) await servers.requireScope(server, refusal.scope);
        throw authorizationRequired(server, error);
      }
    },
  };
}

/** `Bearer abc` contains `abc`. */
function secretsIn(header: string): string[] {
  return [header, header.replace(/^\S+\s+/, "")];
}

/** What the server refused: the token, or the scopes that it has. */
function refusalOf(error: unknown): { scope?: string } | undefined {
  if (!(error instanceof AppError) || error.code !== "mcp_failed") return undefined;
  const { status, requiredScope } = (error.cause ?? {}) as { status?: unknown; requiredScope?: unknown };
  if (typeof requiredScope === "string") return { scope: requiredScope };
  return status === 401 ? {} : undefined;
}
