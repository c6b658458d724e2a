import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { accessScopeSchema } from "./keys.ts";

/** Error codes of OAuth: RFC 6749, 7009, 7591 and 8707. They are responses of `/oauth/…` and never Baton's own codes. */
export const OAUTH_ERRORS = [
  "access_denied",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_target",
  "server_error",
  "temporarily_unavailable",
  "unsupported_grant_type",
  "unsupported_response_type",
] as const;
export type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

export const oauthErrorSchema = z
  .object({ error: z.enum(OAUTH_ERRORS), error_description: z.string() })
  .meta({ id: "OAuthError" });

const MAX_VALUE = 2000;
const value = text(MAX_VALUE);
/** OAuth treats an empty parameter like a missing one. */
const optional = emptyAsAbsent(value);

export const protectedResourceSchema = z
  .object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
  })
  .meta({ id: "ProtectedResourceMetadata" });

export const authorizationServerSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
  })
  .meta({ id: "AuthorizationServerMetadata" });

export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** RFC 7591. Members that Baton does not use are accepted and ignored. */
export const registerClientSchema = z.looseObject({
  redirect_uris: z.array(value).min(1).max(20).describe("https, loopback http, or an app's own scheme"),
  client_name: value.optional().describe("Shown to the user as not verified"),
  token_endpoint_auth_method: value.optional().describe("Default: client_secret_basic"),
  grant_types: z.array(value).max(20).optional(),
  response_types: z.array(value).max(20).optional(),
});

export const registeredClientSchema = z
  .object({
    client_id: z.string(),
    client_id_issued_at: z.number(),
    client_secret: z.string().optional().describe("Returned only here, and only to confidential clients"),
    client_secret_expires_at: z.number().optional(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.enum(CLIENT_AUTH_METHODS),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
  })
  .meta({ id: "RegisteredOAuthClient" });

const clientCredentials = { client_id: optional, client_secret: optional };

export const tokenRequestSchema = z.looseObject({
  grant_type: optional.describe("authorization_code or refresh_token"),
  code: optional,
  code_verifier: optional,
  redirect_uri: optional,
  refresh_token: optional,
  resource: optional,
  ...clientCredentials,
});
export type TokenRequest = z.infer<typeof tokenRequestSchema>;

export const tokenResponseSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().describe("Seconds"),
    refresh_token: z.string().describe("Valid for one use; the response to it carries the next one"),
    scope: z.string(),
  })
  .meta({ id: "OAuthTokens" });
export type TokenResponse = z.infer<typeof tokenResponseSchema>;

export const revokeRequestSchema = z.looseObject({
  token: optional,
  token_type_hint: optional,
  ...clientCredentials,
});

/** The query of `/oauth/authorize`, as the client wrote it. */
export const authorizationQuerySchema = z.object({
  client_id: optional,
  redirect_uri: optional,
  response_type: optional,
  scope: optional,
  state: optional,
  code_challenge: optional,
  code_challenge_method: optional,
  resource: optional,
});
export type AuthorizationQuery = z.infer<typeof authorizationQuerySchema>;

export const authorizationSchema = z
  .object({
    clientName: z.string().describe("As the client calls itself: not verified"),
    clientHost: z
      .string()
      .nullable()
      .describe("The host that publishes the client's metadata; null if it registered itself"),
    redirectUri: z.string(),
    redirectTarget: z.string().describe("Host, or scheme of an app, to which the user returns"),
    redirectKind: z.enum(["web", "loopback", "app"]),
    resource: z.string(),
    scopes: z.array(accessScopeSchema),
    problem: z.string().nullable().describe("Why this request cannot be allowed; it can only be sent back"),
  })
  .meta({ id: "OAuthAuthorization" });
export const authorizationResponseSchema = success({ authorization: authorizationSchema });
export type Authorization = z.infer<typeof authorizationSchema>;

export const decideAuthorizationSchema = authorizationQuerySchema.extend({
  decision: z.enum(["allow", "deny"]),
  workspaceId: text(200).optional().describe("Where the app acts. Default: your personal workspace"),
});
export const decidedAuthorizationSchema = success({
  redirectTo: z.string().describe("Where the browser goes next: the redirect URI with the code or the error"),
});

export const connectedAppSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    clientId: z.string(),
    workspaceId: z.string().describe("Where the app acts"),
    target: z.string().describe("Host, or scheme of an app, to which the consent returned"),
    scopes: z.array(accessScopeSchema),
    createdAt: timeSchema,
    lastUsedAt: timeSchema.nullable(),
    expiresAt: timeSchema.describe("Extended by every use of the refresh token"),
  })
  .meta({ id: "ConnectedApp" });
export type ConnectedApp = z.infer<typeof connectedAppSchema>;
export const connectedAppListSchema = success({
  apps: z.array(connectedAppSchema),
  nextCursor: nextCursorSchema,
});
