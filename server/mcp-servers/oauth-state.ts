import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { mcpServerContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { McpServerRecord } from "./mcp-server.sql.ts";

export interface OauthTokens extends StoredOAuthTokens {
  /** By the clock of this service. */
  expiresAt?: number;
}

/** What is stored, sealed, about the authorization for one MCP server. */
export interface OauthState {
  /** Settings of the user. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  scope?: string | undefined;
  /** Registered clients. Each is sent only to the authorization server that issued it. */
  clients: Record<string, StoredOAuthClientInformation>;
  /** Where the tokens came from. */
  discovery?: OAuthDiscoveryState | undefined;
  resource?: string | undefined;
  tokens?: OauthTokens | undefined;
  /** Scopes that the server asked for when it refused a call. */
  requiredScope?: string | undefined;
}

/** An authorization that waits for the user. */
export interface PendingState {
  codeVerifier: string;
  discovery: OAuthDiscoveryState;
  resource: string | undefined;
  clients: OauthState["clients"];
  redirectUrl: string;
}

const MAX_CLIENTS = 5;

type Row = Pick<McpServerRecord, "id" | "ownerId">;

export function sealJson(box: SecretBox, server: Row, column: Column, value: unknown): string {
  return box.seal(JSON.stringify(value), mcpServerContext(server, column));
}

export function openJson(box: SecretBox, server: Row, column: Column, sealed: string): unknown {
  return JSON.parse(box.open(sealed, mcpServerContext(server, column)));
}

type Column = Parameters<typeof mcpServerContext>[1];

export function openOauth(box: SecretBox, server: McpServerRecord): OauthState {
  return server.oauth === null
    ? { clients: {} }
    : (openJson(box, server, "oauth", server.oauth) as OauthState);
}

/** The newest few: a hostile server could name a new issuer every time. */
export function withClient(
  clients: OauthState["clients"],
  issuer: string,
  client: StoredOAuthClientInformation,
): OauthState["clients"] {
  const others = Object.entries(clients).filter(([other]) => other !== issuer);
  return Object.fromEntries([...others.slice(1 - MAX_CLIENTS), [issuer, client]]);
}
