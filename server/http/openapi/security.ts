import type { ApiErrorCode } from "../../../contract/errors.ts";
import type { RouteAccess } from "../../../contract/roles.ts";

/** Every way to authorize a request. A route without `security` takes a login or, where its access names a scope, an API key. */
export const securitySchemes = {
  login: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of `POST /api/auth/login`: the account with everything it owns.",
  },
  managementKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key of `POST /api/keys` whose scopes include the `x-required-scope` of the operation. It acts in its own workspace, with the role of its creator or service account.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key of `POST /api/keys` with the scope `endpoints`: calls of your public endpoints and forms.",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key with the scope `mcp`, `chat` or `a2a`, or an OAuth access token (scope `mcp` only).",
  },
  webhookSecret: {
    type: "apiKey",
    in: "header",
    name: "x-webhook-secret",
    description: "The secret of the webhook.",
  },
  webhookSecretInUrl: {
    type: "apiKey",
    in: "query",
    name: "secret",
    description: "The secret of the webhook, for senders that cannot set a header.",
  },
  webhookSignature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description:
      "A signature of the body. The header is that of the webhook's scheme: `webhook-signature` for Standard Webhooks, `x-hub-signature-256` for GitHub, `stripe-signature` for Stripe.",
  },
  a2aSecret: {
    type: "apiKey",
    in: "header",
    name: "x-a2a-secret",
    description: "The A2A secret of the team. `x-a2a-agent` names the external agent that calls.",
  },
  uploadKey: {
    type: "apiKey",
    in: "header",
    name: "x-upload-key",
    description: "The upload key of a collection: adds documents to it and nothing else.",
  },
  uploadKeyInUrl: {
    type: "apiKey",
    in: "query",
    name: "key",
    description: "The upload key of a collection, for senders that cannot set a header.",
  },
} as const;

type SecurityScheme = keyof typeof securitySchemes;

/** How requests without the credential, or with a wrong one, are refused. */
export const securityErrors: Readonly<Record<string, readonly ApiErrorCode[]>> = {
  login: ["missing_token", "invalid_token"],
  managementKey: ["insufficient_scope", "address_not_allowed"],
  apiKey: ["missing_api_key", "invalid_api_key", "insufficient_scope", "address_not_allowed"],
  accessToken: ["missing_token", "invalid_token", "insufficient_scope", "address_not_allowed"],
  webhookSecret: ["missing_secret", "invalid_secret"],
  webhookSecretInUrl: [],
  webhookSignature: ["invalid_signature"],
  a2aSecret: ["missing_secret", "invalid_secret", "unknown_agent"],
  uploadKey: ["missing_secret", "invalid_secret"],
  uploadKeyInUrl: [],
} satisfies Record<SecurityScheme, readonly ApiErrorCode[]>;

/** The security of the whole document: it applies to every operation that names no other. */
export const DEFAULT_SECURITY = anyOf("login", "managementKey");

/** The security of a route that declares none; undefined when it is the default of the document. */
export function securityOf(access: RouteAccess | undefined): Record<string, string[]>[] | undefined {
  const takesKeys = typeof access === "object" && access.scope !== null;
  return takesKeys ? undefined : anyOf("login");
}

/** `security: anyOf("apiKey")` of a route: one of these is enough. `nothing` makes them optional. */
export function anyOf(...schemes: (SecurityScheme | "nothing")[]): Record<string, string[]>[] {
  return schemes.map((scheme) => (scheme === "nothing" ? {} : { [scheme]: [] }));
}
