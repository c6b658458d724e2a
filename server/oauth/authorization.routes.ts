import type { FastifyRequest } from "fastify";
import { errorSchema } from "../../contract/api.ts";
import {
  authorizationQuerySchema,
  authorizationResponseSchema,
  decideAuthorizationSchema,
  decidedAuthorizationSchema,
} from "../../contract/oauth.ts";
import type { HttpServer } from "../http/server.ts";
import type { Authorizations } from "./authorizations.ts";

const tags = ["oauth"];
const failures = { "4xx": errorSchema };

export interface AuthorizationRoutesDeps {
  authorizations: Authorizations;
  baseUrlOf(request: FastifyRequest): string;
}

/**
 * The consent screen's requests. They need the login token in a header, which no foreign page or form can send: a forged
 * request decides nothing.
 */
export function authorizationRoutes(
  app: HttpServer,
  { authorizations, baseUrlOf }: AuthorizationRoutesDeps,
): void {
  app.get(
    "/api/oauth/authorization",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "getOAuthAuthorization",
        summary: "Read what a client asks for",
        description:
          "Takes the query of `/oauth/authorize`. 400 `invalid_request` if the client is unknown or the redirect URI is not one of its own; nothing is sent to that URI then.",
        querystring: authorizationQuerySchema,
        response: { 200: authorizationResponseSchema, ...failures },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const authorization = await authorizations.read(request.query, baseUrlOf(request));
      return { ok: true as const, authorization };
    },
  );

  app.post(
    "/api/oauth/authorization",
    {
      config: {
        access: "account",
        audit: { alsoIn: ({ body }) => (body as { workspaceId?: string }).workspaceId },
      },
      schema: {
        tags,
        operationId: "decideOAuthAuthorization",
        summary: "Allow or deny what a client asks for",
        description:
          "`redirectTo` carries the authorization code, which is valid once and for a minute, or the error. The app acts in the workspace `workspaceId`, where your role must be operator or more.",
        errors: ["forbidden"],
        body: decideAuthorizationSchema,
        response: { 200: decidedAuthorizationSchema, ...failures },
      },
    },
    async (request, reply) => {
      const { userId } = request;
      const { decision, workspaceId = userId, ...query } = request.body;
      void reply.header("cache-control", "no-store");
      const redirectTo = await authorizations.decide(
        { userId, workspaceId },
        query,
        baseUrlOf(request),
        decision,
      );
      return { ok: true as const, redirectTo };
    },
  );
}
