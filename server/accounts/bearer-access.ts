import type { AccessScope } from "../../contract/keys.ts";
import { includesRole, type Role } from "../../contract/roles.ts";
import { AppError } from "../lib/errors.ts";
import { assertAddress } from "../security/allowed-addresses.ts";
import type { CredentialWatch } from "./credential-watch.ts";

/** The program behind a request, and the account it acts for. */
export interface Caller {
  ownerId: string;
  /** Id of the API key or of the connected app. */
  callerId: string;
  callerName: string;
  /** The person who connected the app; a key acts for no person. */
  userId?: string | undefined;
  /** The account whose end ends the credential; undefined for a key of a service account. */
  accountId?: string | undefined;
  kind: "key" | "oauth";
}

/** What a program presented with a request. */
export interface PresentedToken {
  rawToken: string | undefined;
  scope: AccessScope;
  /** The client's IP address. */
  address: string;
}

/** What a credential opens, and from where. */
interface Grant {
  scopes: readonly string[];
  /** The role of the person or service account that an API key acts as. */
  role?: Role;
  /** The only addresses that may use it; absent or null for all. */
  addresses?: readonly string[] | null;
}

/** An active credential, as its store finds it. */
export interface BearerGrant extends Grant {
  id: string;
  ownerId: string;
  userId?: string | undefined;
  name: string;
  /** The only workflows whose endpoints it opens; absent or null for all. */
  workflowIds?: readonly string[] | null;
}

export interface Credentials {
  /** Reads the store on every call: a revoked credential fails from the next request on, in every process. */
  find(rawToken: string): Promise<BearerGrant | undefined>;
  recordUse(id: string, address?: string): void;
}

export interface BearerAccessDeps {
  keys: Credentials & { findById(id: string): Promise<BearerGrant | undefined> };
  /** OAuth access tokens; `accepts` recognizes them by their prefix. */
  oauth: Credentials & { accepts(rawToken: string): boolean };
  watch: CredentialWatch["watch"];
}

export type BearerAccess = ReturnType<typeof createBearerAccess>;

/** Authenticates programs that send `Authorization: Bearer`, for every protocol that names no owner in its address. */
export function createBearerAccess({ keys, oauth, watch }: BearerAccessDeps) {
  /** Throws `missing_token`, `invalid_token` and what `assertOpens` throws. */
  async function verify({ rawToken, scope, address }: PresentedToken): Promise<Caller> {
    if (rawToken === undefined)
      throw new AppError(
        "missing_token",
        "The credential is missing. Send an API key or an access token as `Authorization: Bearer <token>`.",
      );
    const kind = oauth.accepts(rawToken) ? "oauth" : "key";
    const grant = await (kind === "oauth" ? oauth : keys).find(rawToken);
    if (grant === undefined)
      throw new AppError(
        "invalid_token",
        "The API key or access token is unknown, expired or revoked. Use another one.",
      );
    assertOpens(grant, scope, address);
    if ((grant.workflowIds ?? null) !== null)
      throw new AppError(
        "insufficient_scope",
        "This API key may call only the endpoints of the workflows that it names. Create a key without workflows in Settings → API keys.",
      );
    return {
      ownerId: grant.ownerId,
      callerId: grant.id,
      callerName: grant.name,
      ...(grant.userId !== "" && { accountId: grant.userId }),
      ...(kind === "oauth" && { userId: grant.userId }),
      kind,
    };
  }

  return {
    /** For work after the request: a key that was revoked or has expired since opens nothing. */
    async isActiveKey(id: string, scope: AccessScope): Promise<boolean> {
      const key = await keys.findById(id);
      return (
        key !== undefined && key.scopes.includes(scope) && includesRole(key.role ?? "viewer", "operator")
      );
    },

    verify,

    /** `verify` for a new request: records the use of the credential. */
    async authenticate(rawToken: string | undefined, scope: AccessScope, address: string): Promise<Caller> {
      const caller = await verify({ rawToken, scope, address });
      (caller.kind === "oauth" ? oauth : keys).recordUse(caller.callerId, address);
      return caller;
    },

    /** Calls `onEnd` once the credential opens nothing, for responses that outlive a request. */
    watch: (
      caller: Pick<Caller, "ownerId" | "accountId">,
      presented: PresentedToken,
      onEnd: () => void,
    ): (() => void) => watch({ subjects: subjectsOf(caller), check: () => verify(presented), onEnd }),
  };
}

/** What a change must name so that open streams of the caller are checked again. */
export function subjectsOf({ ownerId, accountId }: Pick<Caller, "ownerId" | "accountId">): string[] {
  return accountId === undefined ? [ownerId] : [ownerId, accountId];
}

/** Throws `address_not_allowed`, `insufficient_scope` or `forbidden`: the smaller of scope and role decides. */
export function assertOpens({ scopes, role, addresses }: Grant, scope: AccessScope, address: string): void {
  assertAddress(addresses ?? null, address);
  if (!scopes.includes(scope))
    throw new AppError(
      "insufficient_scope",
      `This credential lacks the scope \`${scope}\`. Create an API key with it in Settings → API keys.`,
    );
  if (role !== undefined && !includesRole(role, "operator"))
    throw new AppError(
      "forbidden",
      `This API key acts with the role ${role}, which may not run anything. It needs the role operator.`,
    );
}
