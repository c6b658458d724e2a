import type { ConnectionSettings, FinishConnection } from "../../contract/connections.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { connectionContext } from "../security/seal-contexts.ts";
import { challengeOf } from "../oauth/pkce.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { ConnectionRecord, ConnectionStore } from "./connection.sql.ts";
import type { ConnectionTokenStore } from "./connection-tokens.sql.ts";
import type { OauthClients } from "./oauth-clients.ts";
import type { OauthTokens } from "./oauth-tokens.ts";
import { createPendingAuthorizations, randomText } from "./pending-authorizations.ts";
import { requestTokens, type TokenRequestDeps, TokenRefusal } from "./token-request.ts";

interface Pending {
  codeVerifier: string;
  redirectUrl: string;
  clientId: string;
}

export interface OauthFlowDeps extends Pick<TokenRequestDeps, "egress"> {
  store: Pick<ConnectionStore, "get"> & Pick<ConnectionTokenStore, "savePending" | "takePending">;
  box: SecretBox;
  clock: Clock;
  clients: Pick<OauthClients, "clientOf">;
  tokens: Pick<OauthTokens, "save">;
}

export type OauthFlow = ReturnType<typeof createOauthFlow>;

/**
 * The authorization by a user in the browser: authorization code with PKCE, at addresses that the app or the user names. MCP
 * servers have a flow of their own (`server/mcp-servers/oauth-flow.ts`): there the addresses and the client are discovered.
 * Both keep what waits for the user in `pending-authorizations.ts`.
 */
export function createOauthFlow({ store, box, clock, clients, tokens, egress }: OauthFlowDeps) {
  const authorizations = createPendingAuthorizations<ConnectionRecord, Pending>({
    store,
    box,
    clock,
    contextOf: (record) => connectionContext(record, "pending"),
    failed,
  });

  return {
    /** The address that the user opens. */
    async start(ownerId: string, id: string, redirectUrl: string): Promise<string> {
      const record = await store.get(id, ownerId);
      const settings = requireCodeGrant(record);
      const client = await clients.clientOf(record);
      if (client === undefined)
        throw failed(
          "There is no OAuth client for this app. The administrator enters one on the page Connections, or you enter your own",
        );
      const [state, codeVerifier] = [randomText(), randomText()];
      const pending: Pending = { codeVerifier, redirectUrl, clientId: client.clientId };
      await authorizations.save(record, state, pending);
      return authorizationUrl(settings, pending, state);
    },

    async finish(ownerId: string, answer: FinishConnection): Promise<ConnectionRecord> {
      const { record, pending } = await authorizations.take(ownerId, answer.state);
      const settings = requireCodeGrant(record);
      assertIssuer(settings, answer.iss);
      if (answer.code === undefined)
        throw failed(`The authorization server answered ${plain(answer.error) || "without a code"}`);
      const client = await clients.clientOf(record);
      if (client?.clientId !== pending.clientId)
        throw failed("The OAuth client was changed meanwhile. Connect again");
      const form = {
        grant_type: "authorization_code",
        code: answer.code,
        redirect_uri: pending.redirectUrl,
        ...(settings.pkce !== false && { code_verifier: pending.codeVerifier }),
      };
      const fresh = await requestTokens({ egress, now: clock.now }, settings, client, form).catch(
        (error: unknown) => {
          throw error instanceof TokenRefusal ? failed(error.message, error) : error;
        },
      );
      if (!(await tokens.save(record, fresh)))
        throw failed("The connection was changed meanwhile. Connect again");
      return store.get(record.id, ownerId);
    },
  };
}

function authorizationUrl(settings: ConnectionSettings<"oauth2">, pending: Pending, state: string): string {
  const { scopes = [], scopeSeparator = " ", audience, authorizationParameters = {}, pkce } = settings;
  const url = new URL(settings.authorizationUrl ?? "");
  const parameters: Record<string, string> = {
    // First, so that they replace none of the others.
    ...authorizationParameters,
    ...(scopes.length > 0 && { scope: scopes.join(scopeSeparator) }),
    ...(audience !== undefined && { audience }),
    response_type: "code",
    client_id: pending.clientId,
    redirect_uri: pending.redirectUrl,
    state,
    ...(pkce !== false && {
      code_challenge: challengeOf(pending.codeVerifier),
      code_challenge_method: "S256",
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** A code of another authorization server is not sent to this one's token URL (RFC 9207). */
function assertIssuer(settings: ConnectionSettings<"oauth2">, iss: string | undefined): void {
  if (iss === undefined) return;
  const origins = [settings.authorizationUrl, settings.tokenUrl].map((url) => originOf(url ?? ""));
  const isKnown = settings.issuer === undefined ? origins.includes(originOf(iss)) : iss === settings.issuer;
  if (!isKnown) throw failed("The answer came from another issuer than the one that was asked");
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function requireCodeGrant({ kind, settings }: ConnectionRecord): ConnectionSettings<"oauth2"> {
  const { grant, authorizationUrl: url } = settings as ConnectionSettings<"oauth2">;
  if (kind !== "oauth2" || grant === "client_credentials" || url === undefined)
    throw invalidRequest("This connection is not authorized by a user in the browser.");
  return settings;
}

function plain(error: string | undefined): string {
  return (error ?? "").replaceAll(/[^\w .-]+/g, " ").slice(0, 100);
}

function failed(what: string, cause?: unknown): AppError {
  return new AppError("connection_authorization_failed", `${what}.`, { cause });
}
