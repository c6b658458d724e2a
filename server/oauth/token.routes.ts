import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import {
  oauthErrorSchema,
  registerClientSchema,
  registeredClientSchema,
  revokeRequestSchema,
  tokenRequestSchema,
  tokenResponseSchema,
} from "../../contract/oauth.ts";
import { answerPreflights, anyOrigin } from "../http/any-origin.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { readCredentials } from "./client-credentials.ts";
import type { Clients } from "./clients.ts";
import { parseForm } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";
import { sendOAuthError } from "./oauth-error.routes.ts";
import { RESOURCE_SCOPE } from "./resource.ts";

const tags = ["oauth"];
const BODY_BYTES = 64 * 1024;
const FORM = "application/x-www-form-urlencoded";

export interface TokenRoutesDeps {
  clients: Clients;
  tokens: AccessTokens;
  registrationLimiter: RateLimiter;
  tokenLimiter: RateLimiter;
}

/** The endpoints that clients call without a browser. Errors have OAuth's shape, in their own Fastify scope. */
export function tokenRoutes(app: HttpServer, deps: TokenRoutesDeps): void {
  const { clients, tokens, registrationLimiter, tokenLimiter } = deps;
  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.setErrorHandler(sendOAuthError);
    scope.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) => {
      try {
        done(null, parseForm(body as string));
      } catch (error) {
        done(error as Error);
      }
    });
    const optionsOf = (limiter: RateLimiter) => ({
      config: {
        ...anyOrigin.config,
        auth: "public" as const,
        audit: { none: "tokens of a grant, whose consent is recorded" },
      },
      bodyLimit: BODY_BYTES,
      onRequest: [anyOrigin.onRequest, noStore, limitRate(limiter, ({ ip }) => clientNetwork(ip))],
    });
    for (const url of ["/oauth/register", "/oauth/token", "/oauth/revoke"])
      answerPreflights(scope, url, ["POST"]);

    scope.post(
      "/oauth/register",
      {
        ...optionsOf(registrationLimiter),
        schema: {
          tags,
          security: [],
          operationId: "registerOAuthClient",
          summary: "Register a client of the authorization server (RFC 7591)",
          description:
            "A client that no user allows within 24 hours is removed. Prefer a Client ID Metadata Document, which needs no registration.",
          body: registerClientSchema,
          response: { 201: registeredClientSchema, "4xx": oauthErrorSchema },
        },
      },
      async (request, reply) => {
        const { client, secret } = await clients.register(request.body);
        return reply.status(201).send({
          client_id: client.id,
          client_id_issued_at: Math.floor(client.createdAt / 1000),
          ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
          client_name: client.name,
          redirect_uris: [...client.redirectUris],
          token_endpoint_auth_method: client.authMethod,
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          scope: RESOURCE_SCOPE,
        });
      },
    );

    scope.post(
      "/oauth/token",
      {
        ...optionsOf(tokenLimiter),
        schema: {
          tags,
          security: [],
          consumes: [FORM],
          operationId: "requestOAuthTokens",
          summary: "Exchange an authorization code or a refresh token for tokens",
          description:
            "A code and a refresh token are valid for one use. A second use revokes all tokens of the connection.",
          body: tokenRequestSchema,
          response: { 200: tokenResponseSchema, "4xx": oauthErrorSchema },
        },
      },
      async (request) => {
        const clientId = await clients.authenticate(
          readCredentials(request.headers.authorization, request.body),
        );
        return tokens.request(clientId, request.body);
      },
    );

    scope.post(
      "/oauth/revoke",
      {
        ...optionsOf(tokenLimiter),
        schema: {
          tags,
          security: [],
          consumes: [FORM],
          operationId: "revokeOAuthToken",
          summary: "Revoke an access token or a refresh token (RFC 7009)",
          description:
            "A refresh token ends the connection with all its tokens. An unknown token is 200 as well: it opens nothing.",
          body: revokeRequestSchema,
          response: { 200: z.object({}), "4xx": oauthErrorSchema },
        },
      },
      async (request) => {
        const clientId = await clients.authenticate(
          readCredentials(request.headers.authorization, request.body),
        );
        const { token } = request.body;
        if (token === undefined) throw new OAuthError("invalid_request", "token is required.");
        await tokens.revoke(clientId, token);
        return {};
      },
    );
  });
}

/** Responses carry secrets. */
function noStore(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
  done();
}
