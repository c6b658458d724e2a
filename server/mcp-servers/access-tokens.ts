import type { AuthProvider } from "@modelcontextprotocol/client";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createRefreshOnce, REFRESH_EARLY_MS, REFRESH_LEASE_MS } from "../lib/refresh-once.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { McpServerRecord, McpServerStore } from "./mcp-server.sql.ts";
import { clientOf, withExpiry } from "./oauth-flow.ts";
import { type OauthState, type OauthTokens, openOauth, sealJson } from "./oauth-state.ts";

export interface AccessTokensDeps {
  store: McpServerStore;
  box: SecretBox;
  clock: Clock;
  fetch: typeof globalThis.fetch;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** The stored tokens as the library takes them. They are refreshed by one process at a time. */
export function createAccessTokens({ store, box, clock, fetch }: AccessTokensDeps) {
  const refreshOnce = createRefreshOnce<OauthTokens>(clock);

  async function requestTokens(server: McpServerRecord, state: OauthState): Promise<OauthTokens> {
    const { refreshAuthorization } = await import("@modelcontextprotocol/client");
    const { discovery, tokens, resource } = state;
    const issuer = tokens?.issuer;
    const clientInformation = clientOf(state, issuer);
    if (discovery === undefined || tokens?.refresh_token === undefined || clientInformation === undefined)
      throw authorizationRequired(server);
    const { authorizationServerMetadata: metadata } = discovery;
    const fresh = await refreshAuthorization(discovery.authorizationServerUrl, {
      clientInformation,
      refreshToken: tokens.refresh_token,
      fetchFn: fetch,
      ...(metadata && { metadata }),
      ...(resource && { resource: new URL(resource) }),
    });
    return withExpiry({ ...fresh, ...(issuer && { issuer }) }, clock.now());
  }

  /** A refresh token is often used up by its refresh, so the new tokens are stored also when the rest has changed meanwhile. */
  async function save({ id, ownerId }: McpServerRecord, old: OauthTokens | undefined, tokens: OauthTokens) {
    for (;;) {
      const server = await store.get(id, ownerId);
      const state = openOauth(box, server);
      // Disconnected, or connected anew: those tokens are not replaced.
      if (state.tokens?.access_token !== old?.access_token) return;
      const oauth = sealJson(box, server, "oauth", { ...state, tokens });
      const fromVersion = server.oauthVersion;
      if (await store.saveOauth(id, { oauth, isConnected: true, fromVersion })) return;
    }
  }

  async function claimAndRefresh(server: McpServerRecord): Promise<OauthTokens | undefined> {
    const now = clock.now();
    const fromVersion = server.oauthVersion;
    if (!(await store.claimRefresh(server.id, fromVersion, { now, until: now + REFRESH_LEASE_MS })))
      return undefined;
    const state = openOauth(box, server);
    try {
      const tokens = await requestTokens(server, state);
      await save(server, state.tokens, tokens);
      return tokens;
    } catch (error) {
      if (!isRefused(error)) {
        await store.releaseRefresh(server.id, fromVersion);
        throw error;
      }
      // The token is useless now; the registered clients are not.
      const oauth = sealJson(box, server, "oauth", { ...state, tokens: undefined });
      await store.saveOauth(server.id, { oauth, isConnected: false, fromVersion });
      throw authorizationRequired(server, error);
    }
  }

  /** Waits for the process that refreshes, or refreshes itself. */
  function refresh(ownerId: string, id: string, rejected: string): Promise<OauthTokens> {
    return refreshOnce(id, {
      async attempt() {
        const server = await store.get(id, ownerId);
        const { tokens } = openOauth(box, server);
        if (tokens === undefined) throw authorizationRequired(server);
        return tokens.access_token === rejected ? claimAndRefresh(server) : tokens;
      },
      timedOut: async () => authorizationRequired(await store.get(id, ownerId)),
    });
  }

  return {
    /** For one call. */
    providerFor(server: McpServerRecord): AuthProvider & { secrets(): string[] } {
      const state = openOauth(box, server);
      let current = state.tokens;
      return {
        secrets: () =>
          [current?.access_token, current?.refresh_token, state.clientSecret].filter(
            (secret) => secret !== undefined,
          ),
        async token() {
          if (current === undefined) throw authorizationRequired(server);
          const { access_token: token, expiresAt, refresh_token: refreshToken } = current;
          const isOld = expiresAt !== undefined && expiresAt - REFRESH_EARLY_MS < clock.now();
          if (isOld && refreshToken !== undefined) current = await refresh(server.ownerId, server.id, token);
          return current.access_token;
        },
        async onUnauthorized() {
          if (current === undefined) throw authorizationRequired(server);
          current = await refresh(server.ownerId, server.id, current.access_token);
        },
      };
    },
  };
}

/** The authorization server answered, and did not accept the refresh token or the client. */
function isRefused(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "mcp_authorization_required";
  const { code } = error as { code?: unknown };
  return (
    typeof code === "string" &&
    ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope"].includes(code)
  );
}

export function authorizationRequired({ name }: Pick<McpServerRecord, "name">, cause?: unknown): AppError {
  return new AppError(
    "mcp_authorization_required",
    `The MCP server "${name}" needs authorization. Connect it again in the settings.`,
    { cause },
  );
}
