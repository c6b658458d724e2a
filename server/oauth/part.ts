import type { CredentialWatch } from "../accounts/credential-watch.ts";
import { createHostCheck } from "../http/allowed-hosts.ts";
import { createUseRecorder } from "../lib/use-recorder.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { Memberships } from "../workspaces/memberships.ts";
import { type AccessTokens, createAccessTokens } from "./access-tokens.ts";
import { authorizationRoutes } from "./authorization.routes.ts";
import { createAuthorizations } from "./authorizations.ts";
import { createBaseUrl } from "./base-url.ts";
import { createClientDocuments } from "./client-documents.ts";
import { createClientStore } from "./client.sql.ts";
import { createClients } from "./clients.ts";
import { createCodeStore } from "./code.sql.ts";
import { connectedAppRoutes } from "./connected-app.routes.ts";
import { createGrantStore } from "./grant.sql.ts";
import { metadataRoutes } from "./metadata.routes.ts";
import { createAudienceCheck } from "./resource.ts";
import { tokenRoutes } from "./token.routes.ts";

/** Clients of a whole office or of a vendor's servers share one address. */
const REGISTRATIONS_PER_LOGIN = 3;
const TOKENS_PER_LOGIN = 30;

/** The OAuth 2.1 authorization server for `/mcp`. */
export function createOAuthPart(
  { config, clock, db, egress, limiter, report }: Platform,
  memberships: Pick<Memberships, "roleOf">,
  { changed: credentialsChanged }: Pick<CredentialWatch, "changed">,
): Part & { accessTokens: AccessTokens } {
  const codes = createCodeStore(db);
  const grants = createGrantStore(db);
  const uses = createUseRecorder({
    write: grants.recordUses,
    clock,
    onError: (error) => report(error, "recording the last use of connected apps"),
  });
  const clients = createClients({
    store: createClientStore(db),
    documents: createClientDocuments({ fetch: egress.fetch, clock }),
    clock,
  });
  const accessTokens = createAccessTokens({
    codes,
    grants,
    uses,
    clock,
    credentialsChanged,
    isOwnAudience: createAudienceCheck(config.publicUrl, createHostCheck(config)),
  });
  const baseUrlOf = createBaseUrl(config.publicUrl);
  const basePath =
    config.publicUrl === undefined ? "" : new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const { loginPerMinute } = config.limits;
  return {
    accessTokens,
    routes(http) {
      metadataRoutes(http, { baseUrlOf, basePath });
      tokenRoutes(http, {
        clients,
        tokens: accessTokens,
        registrationLimiter: limiter("oauth registration", loginPerMinute * REGISTRATIONS_PER_LOGIN),
        tokenLimiter: limiter("oauth token", loginPerMinute * TOKENS_PER_LOGIN),
      });
      authorizationRoutes(http, {
        authorizations: createAuthorizations({ clients, codes, roleOf: memberships.roleOf, clock }),
        baseUrlOf,
      });
      connectedAppRoutes(http, { grants, uses, clock, credentialsChanged });
    },
    async stopOwner(ownerId, batches) {
      await batches.deleteAll((limit) => codes.deleteOwned(ownerId, limit));
      await batches.deleteAll((limit) => grants.deleteOwned(ownerId, limit));
    },
    close: () => uses.close(),
  };
}
