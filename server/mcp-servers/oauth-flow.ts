import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import type { FinishAuthorization } from "../../contract/mcp-servers.ts";
import { randomText } from "../connections/pending-authorizations.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import { appErrorWithin } from "../security/outbound-errors.ts";
import { type OauthState, type OauthTokens, type PendingState, withClient } from "./oauth-state.ts";

export interface RedirectSettings {
  redirectUrl: string;
  /** Where this service publishes its client metadata; undefined when authorization servers cannot reach it. */
  clientMetadataUrl: string | undefined;
}

export interface StartedAuthorization {
  authorizationUrl: string;
  state: string;
  pending: PendingState;
}

export function clientMetadata(redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: "Baton",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}

/** The MCP server that a user authorizes, with what is stored of its authorization. */
interface AuthorizedServer {
  serverUrl: URL;
  stored: OauthState;
  fetch: typeof globalThis.fetch;
}

/**
 * Finds the authorization server, registers this service as a client if needed, and builds the address for the user. The
 * protocol is that of the MCP library, which asks a provider for what is stored; for other services see
 * `server/connections/oauth-flow.ts`.
 */
export async function startAuthorization(
  { serverUrl, stored, fetch }: AuthorizedServer,
  { redirectUrl, clientMetadataUrl }: RedirectSettings,
): Promise<StartedAuthorization> {
  const { auth, computeScopeUnion } = await import("@modelcontextprotocol/client");
  const state = randomText();
  const pending: Partial<PendingState> & Pick<PendingState, "clients"> = { clients: stored.clients };
  let authorizationUrl: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { ...clientMetadata(redirectUrl), ...(stored.scope && { scope: stored.scope }) },
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    state: () => state,
    clientInformation(context) {
      const client = clientOf({ ...stored, clients: pending.clients }, context?.issuer);
      if (client === undefined || client.issuer !== undefined || context === undefined) return client;
      const bound = { ...client, issuer: context.issuer };
      pending.clients = withClient(pending.clients, context.issuer, bound);
      return bound;
    },
    saveClientInformation(client, context) {
      if (context !== undefined) pending.clients = withClient(pending.clients, context.issuer, client);
    },
    // Without tokens the library starts anew, also when the old ones are still valid.
    tokens: () => undefined,
    saveTokens: () => undefined,
    saveCodeVerifier: (verifier) => void (pending.codeVerifier = verifier),
    codeVerifier: () => pending.codeVerifier ?? "",
    discoveryState: () => undefined,
    saveDiscoveryState: (discovery) => void (pending.discovery = discovery),
    saveResourceUrl: (resource) => void (pending.resource = String(resource)),
    redirectToAuthorization: (url) => void (authorizationUrl = url),
  };
  try {
    const challenge = await readChallenge(serverUrl, fetch);
    const scope =
      stored.scope ?? computeScopeUnion(stored.tokens?.scope, stored.requiredScope, challenge.scope);
    await auth(provider, {
      serverUrl,
      fetchFn: fetch,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope && { scope }),
    });
  } catch (error) {
    throw authorizationFailed("The authorization could not be started", error);
  }
  // The page opens this address: a script address must not get there.
  if (authorizationUrl === undefined || !/^https?:$/.test(authorizationUrl.protocol))
    throw authorizationFailed("The authorization server has no web address to sign in");
  const { codeVerifier = "", discovery, clients, resource } = pending;
  if (discovery === undefined) throw authorizationFailed("No authorization server was found");
  return {
    authorizationUrl: authorizationUrl.href,
    state,
    pending: { codeVerifier, discovery, clients, resource, redirectUrl },
  };
}

/** Exchanges the code for tokens, after the issuer in the response was compared with the one that was asked. */
export async function finishAuthorization(
  { serverUrl, stored, fetch, now }: AuthorizedServer & { now: number },
  pending: PendingState,
  { code, iss, error }: FinishAuthorization,
): Promise<OauthState> {
  const { auth, validateAuthorizationResponseIssuer } = await import("@modelcontextprotocol/client");
  const metadata = pending.discovery.authorizationServerMetadata;
  let tokens: OauthTokens | undefined;
  let clients = pending.clients;
  const provider: OAuthClientProvider = {
    redirectUrl: pending.redirectUrl,
    clientMetadata: clientMetadata(pending.redirectUrl),
    clientInformation: (context) => clientOf({ ...stored, clients }, context?.issuer),
    saveClientInformation(client, context) {
      if (context !== undefined) clients = withClient(clients, context.issuer, client);
    },
    tokens: () => undefined,
    saveTokens: (saved) => void (tokens = withExpiry(saved, now)),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => pending.codeVerifier,
    discoveryState: () => pending.discovery,
    saveDiscoveryState: () => undefined,
    redirectToAuthorization: () => undefined,
  };
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    if (code === undefined) throw new Error(`the authorization server returned ${error ?? "no code"}`);
    await auth(provider, {
      serverUrl,
      fetchFn: fetch,
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
    });
  } catch (failure) {
    throw authorizationFailed("The authorization was not completed", failure);
  }
  if (tokens === undefined) throw authorizationFailed("The authorization server returned no token");
  const { clientId, clientSecret, scope } = stored;
  const { discovery, resource } = pending;
  return { clientId, clientSecret, scope, clients, discovery, resource, tokens };
}

/** `expires_in` counts from now on. */
export function withExpiry(tokens: OauthTokens, now: number): OauthTokens {
  const { expires_in: seconds } = tokens;
  return seconds === undefined ? tokens : { ...tokens, expiresAt: now + seconds * 1000 };
}

/** The client that this issuer knows. One that the user configured belongs to the first issuer that it is used with. */
export function clientOf(
  { clients, clientId, clientSecret }: OauthState,
  issuer: string | undefined,
): StoredOAuthClientInformation | undefined {
  const known = issuer === undefined ? undefined : clients[issuer];
  if (clientId === undefined) return known;
  if (known?.client_id === clientId) return known;
  const bound = Object.values(clients).find((client) => client.client_id === clientId);
  return bound === undefined
    ? { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) }
    : undefined;
}

/** What the server says about its authorization when it is called without a token. */
async function readChallenge(serverUrl: URL, fetch: typeof globalThis.fetch) {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  const response = await fetch(serverUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover", params: PROBE_PARAMS }),
  });
  await response.body?.cancel();
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
}

const PROBE_PARAMS = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "baton", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

export function authorizationFailed(what: string, cause?: unknown): AppError {
  const known = cause === undefined ? undefined : appErrorWithin(cause);
  if (known !== undefined) return known;
  const reason = cause === undefined ? "" : `: ${messageOf(cause).replace(/\s+/g, " ").slice(0, 200)}`;
  return new AppError("mcp_authorization_failed", `${what}${reason}.`, { cause });
}
