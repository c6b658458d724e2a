import type { AccessScope } from "../../contract/keys.ts";
import { AppError } from "../lib/errors.ts";

/** The program behind a request, and the account it acts for. */
export interface Caller {
  ownerId: string;
  /** Id of the API key or of the connected app. */
  callerId: string;
  callerName: string;
  kind: "key" | "oauth";
}

/** An active credential, as its store finds it. */
export interface BearerGrant {
  id: string;
  ownerId: string;
  name: string;
  scopes: readonly AccessScope[];
}

export interface Credentials {
  /** Reads the store on every call: a revoked credential fails from the next request on, in every process. */
  find(rawToken: string): Promise<BearerGrant | undefined>;
  recordUse(id: string): void;
}

export interface BearerAccessDeps {
  keys: Credentials & { findById(id: string): Promise<BearerGrant | undefined> };
  /** OAuth access tokens; `accepts` tells them from API keys by their prefix. */
  oauth: Credentials & { accepts(rawToken: string): boolean };
}

export type BearerAccess = ReturnType<typeof createBearerAccess>;

/** Authenticates programs that send `Authorization: Bearer`, for every protocol that names no owner in its address. */
export function createBearerAccess({ keys, oauth }: BearerAccessDeps) {
  return {
    /** For work after the request: a key that was revoked or has expired since opens nothing. */
    async isActiveKey(id: string, scope: AccessScope): Promise<boolean> {
      return (await keys.findById(id))?.scopes.includes(scope) ?? false;
    },

    /** Throws `missing_token`, `invalid_token` or `insufficient_scope`. */
    async authenticate(rawToken: string | undefined, scope: AccessScope): Promise<Caller> {
      if (rawToken === undefined)
        throw new AppError(
          "missing_token",
          "The credential is missing. Send an API key or an access token as `Authorization: Bearer <token>`.",
        );
      const kind = oauth.accepts(rawToken) ? "oauth" : "key";
      const credentials = kind === "oauth" ? oauth : keys;
      const grant = await credentials.find(rawToken);
      if (grant === undefined)
        throw new AppError(
          "invalid_token",
          "The API key or access token is unknown, expired or revoked. Use another one.",
        );
      assertScope(grant.scopes, scope);
      credentials.recordUse(grant.id);
      return { ownerId: grant.ownerId, callerId: grant.id, callerName: grant.name, kind };
    },
  };
}

export function assertScope(scopes: readonly AccessScope[], scope: AccessScope): void {
  if (!scopes.includes(scope))
    throw new AppError(
      "insufficient_scope",
      `This credential lacks the scope \`${scope}\`. Create an API key with it in Settings → API keys.`,
    );
}
