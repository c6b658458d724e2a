import type { ConnectionSettings } from "../../contract/connections.ts";
import type { Clock } from "../lib/clock.ts";
import { createRefreshOnce, REFRESH_EARLY_MS, REFRESH_LEASE_MS } from "../lib/refresh-once.ts";
import { AppError } from "../lib/errors.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { authorizationRequired, type Credential, type UsedConnection } from "./connection-use.ts";
import type { ConnectionRecord, ConnectionStore } from "./connection.sql.ts";
import type { ConnectionTokenStore } from "./connection-tokens.sql.ts";
import type { OauthClients } from "./oauth-clients.ts";
import { openJson, sealJson } from "./sealed-json.ts";
import { requestTokens, type StoredTokens, type TokenRequestDeps, TokenRefusal } from "./token-request.ts";

export interface OauthTokensDeps extends Pick<TokenRequestDeps, "egress"> {
  store: Pick<ConnectionStore, "get" | "find"> & ConnectionTokenStore;
  box: SecretBox;
  clock: Clock;
  clients: Pick<OauthClients, "clientOf">;
}

export type OauthTokens = ReturnType<typeof createOauthTokens>;

/** The tokens of stored connections. They are refreshed by one process at a time, and stored before they are used. */
export function createOauthTokens({ store, box, clock, clients, egress }: OauthTokensDeps) {
  const refreshOnce = createRefreshOnce<StoredTokens>(clock);

  const open = (record: ConnectionRecord): StoredTokens | undefined =>
    record.tokens === null
      ? undefined
      : (openJson(box, record, "tokens", record.tokens) as unknown as StoredTokens);

  async function request(record: ConnectionRecord, old: StoredTokens | undefined): Promise<StoredTokens> {
    const settings = record.settings as ConnectionSettings<"oauth2">;
    const client = await clients.clientOf(record);
    if (client === undefined) throw new TokenRefusal("no_client", "There is no OAuth client");
    const scope = (settings.scopes ?? []).join(settings.scopeSeparator ?? " ");
    const form: Record<string, string> = isRenewable(settings)
      ? { grant_type: "client_credentials", ...(scope && { scope }) }
      : { grant_type: "refresh_token", refresh_token: old?.refreshToken ?? "" };
    if (settings.audience !== undefined) form["audience"] = settings.audience;
    const fresh = await requestTokens({ egress, now: clock.now }, settings, client, form);
    // A server that does not rotate refresh tokens sends none.
    return { ...fresh, refreshToken: fresh.refreshToken ?? old?.refreshToken };
  }

  /** Undefined while another process holds the lease, or when the tokens have changed meanwhile. */
  async function claimAndRefresh(record: ConnectionRecord): Promise<StoredTokens | undefined> {
    const now = clock.now();
    const { id, tokensVersion } = record;
    if (!(await store.claimRefresh(id, tokensVersion, { now, until: now + REFRESH_LEASE_MS })))
      return undefined;
    try {
      const tokens = await request(record, open(record));
      return (await save(record, tokens)) ? tokens : undefined;
    } catch (error) {
      if (!(error instanceof TokenRefusal)) {
        await store.releaseRefresh(id, tokensVersion);
        throw error;
      }
      const problem = `${error.message}.`;
      await store.dropTokens(record, { problem, status: statusWithout(record), at: clock.now() });
      throw authorizationRequired(record, error.message, error);
    }
  }

  function save(record: ConnectionRecord, tokens: StoredTokens): Promise<boolean> {
    const ends = tokens.refreshToken === undefined && !isRenewable(record.settings);
    return store.saveTokens(record, {
      tokens: sealJson(box, record, "tokens", tokens),
      expiresAt: ends ? (tokens.expiresAt ?? null) : null,
      account: tokens.account,
    });
  }

  async function refresh(record: UsedConnection, rejected: string | undefined): Promise<StoredTokens> {
    const { id, ownerId } = record;
    // A connection that is tested before it is saved has no row.
    if ((await store.find(id, ownerId)) === undefined)
      return request(record, undefined).catch((error: unknown) => {
        throw error instanceof TokenRefusal ? authorizationRequired(record, error.message, error) : error;
      });
    return refreshOnce(id, {
      async attempt() {
        const current = await store.get(id, ownerId);
        const tokens = open(current);
        if (tokens !== undefined && tokens.accessToken !== rejected) return tokens;
        if (!isRenewable(current.settings) && tokens?.refreshToken === undefined)
          throw authorizationRequired(current, "It needs a new authorization");
        return claimAndRefresh(current);
      },
      timedOut: () =>
        new AppError("unavailable", "The token is being refreshed by another process.", { retryable: true }),
    });
  }

  return {
    save,

    /** For one use. */
    credentialOf(record: UsedConnection): Credential {
      let current = open(record);
      const stored = openJson(box, record, "secrets", record.secrets) as Record<string, string>;
      const seen = new Set<string>(Object.values(stored));
      const keep = (tokens: StoredTokens | undefined) => {
        for (const secret of [tokens?.accessToken, tokens?.refreshToken])
          if (secret !== undefined) seen.add(secret);
        current = tokens;
      };
      keep(current);
      return {
        secretValues: {},
        secrets: () => [...seen],
        async authorize({ headers }) {
          const { expiresAt, refreshToken } = current ?? {};
          const isOld = expiresAt !== undefined && expiresAt - REFRESH_EARLY_MS < clock.now();
          const canRefresh = refreshToken !== undefined || isRenewable(record.settings);
          if (current === undefined || (isOld && canRefresh))
            keep(await refresh(record, current?.accessToken));
          headers["authorization"] = `Bearer ${current?.accessToken}`;
        },
        async renew() {
          try {
            keep(await refresh(record, current?.accessToken));
            return true;
          } catch (error) {
            if (error instanceof AppError && error.code === "connection_authorization_required") return false;
            throw error;
          }
        },
      };
    },
  };
}

/** New tokens need no user. */
function isRenewable({ grant }: ConnectionSettings<"oauth2">): boolean {
  return grant === "client_credentials";
}

function statusWithout({ settings }: ConnectionRecord): ConnectionRecord["status"] {
  return isRenewable(settings) ? "failing" : "authorization_needed";
}
