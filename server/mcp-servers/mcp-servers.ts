import type { PageQuery } from "../../contract/api.ts";
import type {
  CreateMcpServer,
  FinishAuthorization,
  McpServer,
  UpdateMcpServer,
} from "../../contract/mcp-servers.ts";
import { createPendingAuthorizations } from "../connections/pending-authorizations.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { mcpServerContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { MAX_SERVERS, type McpServerRecord, type McpServerStore } from "./mcp-server.sql.ts";
import {
  authorizationFailed,
  finishAuthorization,
  type RedirectSettings,
  startAuthorization,
} from "./oauth-flow.ts";
import { type OauthState, openOauth, type PendingState, sealJson } from "./oauth-state.ts";

export interface McpServersDeps {
  store: McpServerStore;
  box: SecretBox;
  clock: Clock;
  fetch: typeof globalThis.fetch;
  /** Throws `forbidden` when this owner may not use the stdio server with this name. */
  requireStdio(ownerId: string, name: string): Promise<void>;
  /** Throws when the owner has no such connection, or one that is not sent by HTTP. */
  requireConnection(ownerId: string, id: string): Promise<void>;
}

export type McpServers = ReturnType<typeof createMcpServers>;

export function createMcpServers({
  store,
  box,
  clock,
  fetch,
  requireStdio,
  requireConnection,
}: McpServersDeps) {
  function sealHeaders(server: McpServerRecord, headers: Record<string, string> | undefined) {
    const names = Object.keys(headers ?? {});
    return {
      headerNames: names,
      headers: names.length === 0 ? null : sealJson(box, server, "headers", headers),
    };
  }

  const authorizations = createPendingAuthorizations<McpServerRecord, PendingState>({
    store,
    box,
    clock,
    contextOf: (server) => mcpServerContext(server, "pending"),
    failed: authorizationFailed,
  });

  function authorizedServer(server: McpServerRecord) {
    return { serverUrl: oauthUrlOf(server), stored: openOauth(box, server), fetch };
  }

  return {
    async create(ownerId: string, given: CreateMcpServer): Promise<McpServerRecord> {
      if (given.stdio !== undefined) await requireStdio(ownerId, given.stdio);
      if (given.stdio !== undefined && given.connection !== undefined) throw noHttp();
      if (given.connection !== undefined) await requireConnection(ownerId, given.connection);
      const now = clock.now();
      const bare: McpServerRecord = {
        id: createId("mcp", now),
        ownerId,
        name: given.name,
        url: given.url ?? null,
        stdio: given.stdio ?? null,
        auth: authOf(given),
        headerNames: [],
        headers: null,
        oauth: null,
        isConnected: false,
        connectionId: given.connection ?? null,
        oauthVersion: 0,
        createdAt: now,
        updatedAt: now,
      };
      const oauth =
        given.oauth === undefined ? null : sealJson(box, bare, "oauth", { ...given.oauth, clients: {} });
      const server = { ...bare, ...sealHeaders(bare, given.headers), oauth };
      if (!(await store.insert(server)))
        throw new AppError(
          "limit_reached",
          `You have ${MAX_SERVERS} MCP servers, the most allowed. Delete one that you no longer use.`,
        );
      return server;
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId),

    /** A new address or client drops the credentials, which belong to the old one. */
    async update(ownerId: string, id: string, change: UpdateMcpServer): Promise<McpServerRecord> {
      const current = await store.get(id, ownerId);
      if (current.stdio !== null && (change.url ?? change.auth ?? change.connection) !== undefined)
        throw noHttp();
      if (change.connection !== undefined) await requireConnection(ownerId, change.connection);
      const isMoved = change.url !== undefined && new URL(change.url).origin !== originOf(current.url);
      const isNewClient = change.oauth !== undefined;
      const server: McpServerRecord = {
        ...current,
        name: change.name ?? current.name,
        url: change.url ?? current.url,
        auth: newAuthOf(change) ?? current.auth,
        connectionId: change.connection ?? current.connectionId,
        updatedAt: clock.now(),
      };
      if (server.auth === "connection" && server.connectionId === null)
        throw invalidRequest("Choose a connection.", [{ path: "connection", message: "is missing" }]);
      if (server.auth !== "connection") server.connectionId = null;
      if (change.headers !== undefined || change.connection !== undefined || isMoved)
        Object.assign(server, sealHeaders(server, change.headers));
      if (!isMoved && !isNewClient) {
        await store.update(server);
        return server;
      }
      const { clientId, clientSecret, scope } = openOauth(box, current);
      const client = change.oauth ?? { clientId, clientSecret, scope };
      const oauth = sealJson(box, server, "oauth", { ...client, clients: {} });
      await store.update(server, { oauth, isConnected: false });
      return { ...server, oauth, isConnected: false };
    },

    async authorize(ownerId: string, id: string, settings: RedirectSettings): Promise<string> {
      const server = await store.get(id, ownerId);
      const started = await startAuthorization(authorizedServer(server), settings);
      await authorizations.save(server, started.state, started.pending);
      return started.authorizationUrl;
    },

    async finish(ownerId: string, answer: FinishAuthorization): Promise<McpServerRecord> {
      const { record: server, pending } = await authorizations.take(ownerId, answer.state);
      const authorized = { ...authorizedServer(server), now: clock.now() };
      const state = await finishAuthorization(authorized, pending, answer);
      const oauth = sealJson(box, server, "oauth", state);
      const fromVersion = server.oauthVersion;
      if (!(await store.saveOauth(server.id, { oauth, isConnected: true, fromVersion })))
        throw authorizationFailed("The server was changed meanwhile. Connect again");
      return { ...server, oauth, isConnected: true };
    },

    /** Forgets the tokens. */
    async disconnect(ownerId: string, id: string): Promise<McpServerRecord> {
      const server = await store.get(id, ownerId);
      const { tokens: _tokens, ...rest } = openOauth(box, server);
      const oauth = sealJson(box, server, "oauth", rest);
      await store.saveOauth(id, { oauth, isConnected: false, fromVersion: server.oauthVersion });
      return { ...server, oauth, isConnected: false };
    },

    /** The next authorization asks for these scopes, too. */
    async requireScope({ id, ownerId }: McpServerRecord, requiredScope: string | undefined): Promise<void> {
      // The call may have refreshed the tokens since it read the record.
      const server = await store.get(id, ownerId);
      const { oauthVersion: fromVersion, isConnected } = server;
      const state: OauthState = { ...openOauth(box, server), requiredScope };
      const oauth = sealJson(box, server, "oauth", state);
      await store.saveOauth(id, { oauth, isConnected, fromVersion, keepsRefresh: true });
    },

    async usedBy(ownerId: string, id: string) {
      await store.get(id, ownerId);
      const [workflows, agents] = await Promise.all([
        store.listWorkflows(id, ownerId),
        store.listAgents(id, ownerId),
      ]);
      return { workflows, agents };
    },
  };
}

type Given = Pick<CreateMcpServer, "auth" | "headers" | "oauth" | "connection">;

function authOf({ auth, headers, oauth, connection }: Given): McpServer["auth"] {
  if (auth !== undefined) return auth;
  if (connection !== undefined) return "connection";
  if (oauth !== undefined) return "oauth";
  return Object.keys(headers ?? {}).length > 0 ? "headers" : "none";
}

/** A new client of OAuth alone changes no auth. */
function newAuthOf(change: Given): McpServer["auth"] | undefined {
  const { auth, headers, connection } = change;
  return (auth ?? headers ?? connection) === undefined ? undefined : authOf(change);
}

function noHttp(): AppError {
  return invalidRequest("A server over stdio has no url, no auth and no connection.");
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : new URL(url).origin;
}

function oauthUrlOf({ url, auth }: McpServerRecord): URL {
  if (url === null || auth !== "oauth")
    throw invalidRequest('This MCP server does not use OAuth. Set auth to "oauth".');
  return new URL(url);
}

/** Without any secret: the names of the headers, and whether there are tokens. */
export function toMcpServer(server: McpServerRecord): McpServer {
  const { id, name, url, stdio, auth, connectionId, headerNames, isConnected } = server;
  return {
    id,
    name,
    url,
    stdio,
    auth,
    connection: connectionId,
    headerNames,
    authorization: auth === "oauth" ? (isConnected ? "connected" : "needed") : null,
    createdAt: toIso(server.createdAt),
    updatedAt: toIso(server.updatedAt),
  };
}
