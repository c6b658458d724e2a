import type { Authorization, AuthorizationQuery, OAuthErrorCode } from "../../contract/oauth.ts";
import type { Clock } from "../lib/clock.ts";
import { invalidRequest } from "../lib/errors.ts";
import type { Role } from "../../contract/roles.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";
import { assertRole, notMember } from "../security/roles.ts";
import type { Clients, OAuthClient } from "./clients.ts";
import type { CodeStore } from "./code.sql.ts";
import { OAuthError } from "./oauth-error.ts";
import { addToRedirect, isRegisteredRedirect, redirectKindOf, redirectTargetOf } from "./redirect-uris.ts";
import { isSameResource, RESOURCE_SCOPE, resourceOf } from "./resource.ts";

/** A code goes from the browser to the client at once. */
const CODE_LIFETIME_MS = 60_000;
/** SHA-256 as base64url. */
const CHALLENGE = /^[\w-]{43}$/;

export interface AuthorizationsDeps {
  clients: Pick<Clients, "find" | "keep">;
  codes: Pick<CodeStore, "insert">;
  roleOf(workspaceId: string, userId: string): Promise<Role | undefined>;
  clock: Clock;
}

/** A request whose client and redirect URI belong together: its errors may be sent to that URI. */
interface CheckedRequest {
  client: OAuthClient;
  redirectUri: string;
  codeChallenge: string;
  problem: { code: OAuthErrorCode; description: string } | undefined;
}

export type Authorizations = ReturnType<typeof createAuthorizations>;

/** The requests of `/oauth/authorize`: what the consent screen shows, and what follows from the decision. */
export function createAuthorizations({ clients, codes, roleOf, clock }: AuthorizationsDeps) {
  /** Throws `invalid_request` while no redirect URI can be trusted with an error. */
  async function check(query: AuthorizationQuery, baseUrl: string): Promise<CheckedRequest> {
    if (query.client_id === undefined) throw invalidRequest("The request names no app (client_id).");
    const client = await clients.find(query.client_id).catch((error: unknown) => {
      throw error instanceof OAuthError ? invalidRequest(error.message) : error;
    });
    const { redirect_uri: redirectUri } = query;
    if (redirectUri === undefined)
      throw invalidRequest("The request names no address to return to (redirect_uri).");
    if (redirectKindOf(redirectUri) === undefined || !isRegisteredRedirect(client.redirectUris, redirectUri))
      throw invalidRequest(
        "The address to return to (redirect_uri) is not one that this app has registered.",
      );
    return {
      client,
      redirectUri,
      codeChallenge: query.code_challenge ?? "",
      problem: problemOf(query, baseUrl),
    };
  }

  return {
    async read(query: AuthorizationQuery, baseUrl: string): Promise<Authorization> {
      const { client, redirectUri, problem } = await check(query, baseUrl);
      return {
        clientName: client.name,
        clientHost: client.host,
        redirectUri,
        redirectTarget: redirectTargetOf(redirectUri),
        redirectKind: redirectKindOf(redirectUri) ?? "web",
        resource: resourceOf(baseUrl),
        scopes: [RESOURCE_SCOPE],
        problem: problem?.description ?? null,
      };
    },

    /** Returns the address to which the browser goes next. The app acts in the workspace of the person's choice. */
    async decide(
      { userId, workspaceId }: { userId: string; workspaceId: string },
      query: AuthorizationQuery,
      baseUrl: string,
      decision: "allow" | "deny",
    ): Promise<string> {
      const { client, redirectUri, codeChallenge, problem } = await check(query, baseUrl);
      const returnWith = (parameters: Record<string, string>): string =>
        addToRedirect(redirectUri, { ...parameters, state: query.state, iss: baseUrl });
      if (problem !== undefined)
        return returnWith({ error: problem.code, error_description: problem.description });
      if (decision === "deny")
        return returnWith({ error: "access_denied", error_description: "The user refused the request." });
      const role = await roleOf(workspaceId, userId);
      if (role === undefined) throw notMember();
      // The app may run what is exposed.
      assertRole(role, "operator");
      const code = createSecret();
      const now = clock.now();
      await codes.insert(
        hashKey(code),
        {
          ownerId: workspaceId,
          userId,
          clientId: client.id,
          clientName: client.name,
          redirectUri,
          codeChallenge,
          scopes: [RESOURCE_SCOPE],
          resource: resourceOf(baseUrl),
          expiresAt: now + CODE_LIFETIME_MS,
          grantId: null,
        },
        now,
      );
      await clients.keep(client.id);
      return returnWith({ code });
    },
  };
}

function problemOf(query: AuthorizationQuery, baseUrl: string): CheckedRequest["problem"] {
  if (query.response_type !== "code")
    return { code: "unsupported_response_type", description: "response_type must be code." };
  if (query.code_challenge_method !== "S256" || !CHALLENGE.test(query.code_challenge ?? ""))
    return {
      code: "invalid_request",
      description: "PKCE is required: code_challenge with code_challenge_method S256.",
    };
  if (query.resource !== undefined && !isSameResource(query.resource, resourceOf(baseUrl)))
    return { code: "invalid_target", description: `resource must be ${resourceOf(baseUrl)}.` };
  return undefined;
}
