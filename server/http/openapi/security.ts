import type { ApiErrorCode } from "../../../contract/errors.ts";

/** Every way to authorize a request. A route without `security` requires a login. */
export const securitySchemes = {
  login: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of `POST /api/auth/login`: the account with everything it owns.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key of `POST /api/keys`: calls of your public endpoints and forms.",
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
  apiKey: ["missing_api_key", "invalid_api_key", "insufficient_scope"],
  accessToken: ["missing_token", "invalid_token", "insufficient_scope"],
  webhookSecret: ["missing_secret", "invalid_secret"],
  webhookSecretInUrl: [],
  webhookSignature: ["invalid_signature"],
  a2aSecret: ["missing_secret", "invalid_secret", "unknown_agent"],
  uploadKey: ["missing_secret", "invalid_secret"],
  uploadKeyInUrl: [],
} satisfies Record<SecurityScheme, readonly ApiErrorCode[]>;

/** `security: anyOf("apiKey")` of a route: one of these is enough. `nothing` makes them optional. */
export function anyOf(...schemes: (SecurityScheme | "nothing")[]): Record<string, string[]>[] {
  return schemes.map((scheme) => (scheme === "nothing" ? {} : { [scheme]: [] }));
}
