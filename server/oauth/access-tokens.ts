import type { TokenRequest, TokenResponse } from "../../contract/oauth.ts";
import type { BearerGrant } from "../accounts/bearer-access.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import type { UseRecorder } from "../lib/use-recorder.ts";
import { createSecret, hashKey, secretsEqual } from "../security/api-keys.ts";
import type { CodeRecord, CodeStore } from "./code.sql.ts";
import type { GrantRecord, GrantStore, NewTokens } from "./grant.sql.ts";
import { OAuthError } from "./oauth-error.ts";
import { challengeOf, isVerifier } from "./pkce.ts";
import { redirectTargetOf } from "./redirect-uris.ts";
import { isSameResource } from "./resource.ts";

const ACCESS_LIFETIME_MS = 3600 * 1000;
/** Since its last use: an app that is used once a month stays connected. */
const REFRESH_LIFETIME_MS = 30 * 24 * 3600 * 1000;
const ACCESS_PREFIX = "batonat_";
const REFRESH_PREFIX = "batonrt_";

export interface AccessTokensDeps {
  codes: Pick<CodeStore, "find">;
  grants: GrantStore;
  uses: UseRecorder;
  clock: Clock;
  /** Ends the streams of this workspace whose credential has ended. */
  credentialsChanged(ownerId: string): void;
  isOwnAudience(resource: string): boolean;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Issues, rotates, revokes and finds tokens. Only hashes are stored. */
export function createAccessTokens({
  codes,
  grants,
  uses,
  clock,
  credentialsChanged,
  isOwnAudience,
}: AccessTokensDeps) {
  async function exchangeCode(clientId: string, request: TokenRequest): Promise<TokenResponse> {
    const { code: rawCode, code_verifier: verifier } = request;
    if (rawCode === undefined || verifier === undefined)
      throw new OAuthError("invalid_request", "code and code_verifier are required.");
    const codeHash = hashKey(rawCode);
    const code = await codes.find(codeHash);
    if (code === undefined || code.clientId !== clientId) throw invalidGrant("The code is unknown.");
    if (code.grantId !== null) throw await reused(code.grantId, code.ownerId, "The code was used before.");
    if (!isVerifier(verifier) || !secretsEqual(challengeOf(verifier), code.codeChallenge))
      throw invalidGrant("The code_verifier does not match the code_challenge.");
    if (request.redirect_uri !== undefined && request.redirect_uri !== code.redirectUri)
      throw invalidGrant("The redirect_uri is not the one of the authorization request.");
    assertResource(request, code.resource);
    const now = clock.now();
    if (code.expiresAt <= now) throw invalidGrant("The code has expired.");
    return issue(now, async (tokens) => {
      const grant = toGrant(code, now);
      if (await grants.redeem(codeHash, grant, tokens)) return grant;
      // Another request used the code at the same moment: neither of the two is trusted.
      const { grantId } = (await codes.find(codeHash)) ?? {};
      throw await reused(grantId ?? "", code.ownerId, "The code was used before.");
    });
  }

  async function refresh(clientId: string, request: TokenRequest): Promise<TokenResponse> {
    if (request.refresh_token === undefined)
      throw new OAuthError("invalid_request", "refresh_token is required.");
    const oldHash = hashKey(request.refresh_token);
    const found = await grants.findRefresh(oldHash);
    if (found === undefined || found.grant.clientId !== clientId)
      throw invalidGrant("The refresh token is unknown or revoked.");
    const { grant, expiresAt } = found;
    assertResource(request, grant.resource);
    const now = clock.now();
    if (expiresAt <= now || !isOwnAudience(grant.resource))
      throw invalidGrant("The refresh token has expired.");
    return issue(now, async (tokens) => {
      // A thief and the client cannot both have the next token, so a second use means that one of them is a thief.
      if (!(await grants.rotate(oldHash, grant.id, tokens, now)))
        throw await reused(grant.id, grant.ownerId, "The refresh token was used before.");
      return grant;
    });
  }

  async function issue(
    now: number,
    store: (tokens: NewTokens) => Promise<GrantRecord>,
  ): Promise<TokenResponse> {
    const access = ACCESS_PREFIX + createSecret();
    const next = REFRESH_PREFIX + createSecret();
    const { scopes } = await store({
      access: { hash: hashKey(access), expiresAt: now + ACCESS_LIFETIME_MS },
      refresh: { hash: hashKey(next), expiresAt: now + REFRESH_LIFETIME_MS },
    });
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: ACCESS_LIFETIME_MS / 1000,
      refresh_token: next,
      scope: scopes.join(" "),
    };
  }

  async function reused(grantId: string, ownerId: string, description: string): Promise<OAuthError> {
    await grants.end(grantId);
    credentialsChanged(ownerId);
    return invalidGrant(`${description} All tokens of this connection are revoked. Connect again.`);
  }

  return {
    /** Throws an `OAuthError`. */
    async request(clientId: string, request: TokenRequest): Promise<TokenResponse> {
      switch (request.grant_type) {
        case "authorization_code":
          return exchangeCode(clientId, request);
        case "refresh_token":
          return refresh(clientId, request);
        case undefined:
          throw new OAuthError("invalid_request", "grant_type is required.");
        default:
          throw new OAuthError(
            "unsupported_grant_type",
            "grant_type must be authorization_code or refresh_token.",
          );
      }
    },

    /** RFC 7009: a token that is unknown, or of another client, is revoked already. A refresh token ends the whole grant. */
    async revoke(clientId: string, rawToken: string): Promise<void> {
      const hash = hashKey(rawToken);
      const grant = (await grants.findAccess(hash, clock.now())) ?? (await grants.findRefresh(hash))?.grant;
      await grants.endByToken(hash, clientId);
      if (grant !== undefined) credentialsChanged(grant.ownerId);
    },

    accepts: (rawToken: string): boolean => rawToken.startsWith(ACCESS_PREFIX),
    async find(rawToken: string): Promise<BearerGrant | undefined> {
      const grant = await grants.findAccess(hashKey(rawToken), clock.now());
      if (grant === undefined || !isOwnAudience(grant.resource)) return undefined;
      const { id, ownerId, userId, clientName: name, scopes } = grant;
      return { id, ownerId, userId, name, scopes };
    },
    recordUse: uses.record,
  };
}

function toGrant(code: CodeRecord, now: number): GrantRecord {
  const { ownerId, userId, clientId, clientName, scopes, resource, redirectUri } = code;
  return {
    id: createId("grant", now),
    ownerId,
    userId,
    clientId,
    clientName,
    target: redirectTargetOf(redirectUri),
    scopes,
    resource,
    createdAt: now,
    lastUsedAt: null,
    expiresAt: now + REFRESH_LIFETIME_MS,
  };
}

function assertResource({ resource }: TokenRequest, granted: string): void {
  if (resource !== undefined && !isSameResource(resource, granted))
    throw new OAuthError("invalid_target", `resource must be ${granted}.`);
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
