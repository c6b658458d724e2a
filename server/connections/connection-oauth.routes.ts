import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  authorizeConnectionResponseSchema,
  connectionResponseSchema,
  finishConnectionSchema,
  oauthClientListResponseSchema,
  putOauthClientSchema,
} from "../../contract/connections.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { assertCanManage } from "./connection-access.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { createBaseUrl } from "../oauth/base-url.ts";
import type { ConnectionTests } from "./connection-tests.ts";
import { type Connections, type ConnectionsDeps, toConnection } from "./connections.ts";
import type { OauthClients } from "./oauth-clients.ts";
import type { OauthFlow } from "./oauth-flow.ts";

const tags = ["connections"];
/** A page of the browser: the authorization server sends the user there. */
const CALLBACK_PATH = "/connections/callback";

export interface ConnectionOauthRoutesDeps {
  connections: Pick<Connections, "get">;
  flow: OauthFlow;
  clients: OauthClients;
  tests: Pick<ConnectionTests, "stored">;
  limiter: RateLimiter;
  /** Public base URL; defaults to the host of the request. */
  publicUrl: string | undefined;
  onRepaired: ConnectionsDeps["onRepaired"];
}

export function connectionOauthRoutes(
  app: HttpServer,
  { connections, flow, clients, tests, limiter, publicUrl, onRepaired }: ConnectionOauthRoutesDeps,
): void {
  const baseOf = createBaseUrl(publicUrl);
  const redirectUrlOf = (request: unknown) => `${baseOf(request as FastifyRequest)}${CALLBACK_PATH}`;

  app.post(
    "/api/connections/:id/authorize",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "authorizeConnection",
        summary: "Start the OAuth authorization of a connection",
        description:
          "Open the returned address in the browser. It leads back to the page, which calls `POST /api/connections/finish`.",
        errors: ["connection_authorization_failed", "limit_reached", "rate_limited"],
        params: z.object({ id: z.string() }),
        response: { 200: authorizeConnectionResponseSchema },
      },
      onRequest: limitRate(limiter, (request) => request.workspaceId),
    },
    async (request) => {
      assertCanManage(request, await connections.get(request.workspaceId, request.params.id));
      const redirectUrl = redirectUrlOf(request);
      const authorizationUrl = await flow.start(request.workspaceId, request.params.id, redirectUrl);
      return { ok: true as const, authorizationUrl, redirectUrl };
    },
  );

  app.post(
    "/api/connections/finish",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "finishConnection",
        summary: "Finish the OAuth authorization of a connection",
        description:
          "The page calls it with what the authorization server returned. Each `state` works once, for 15 minutes, for the user who started it.",
        errors: ["connection_authorization_failed"],
        body: finishConnectionSchema,
        response: { 200: connectionResponseSchema },
      },
    },
    async ({ workspaceId, body }) => {
      const record = await flow.finish(workspaceId, body);
      const { id } = record;
      onRepaired(record);
      // Finds the name of the account. The tokens are stored, whatever the test says.
      await tests.stored(workspaceId, id);
      return { ok: true as const, connection: toConnection(await connections.get(workspaceId, id), true) };
    },
  );

  app.get(
    "/api/oauth-clients",
    {
      config: { access: { role: "builder", scope: "connections:read" } },
      schema: {
        tags,
        operationId: "listOauthClients",
        summary: "List the apps that need an OAuth client of this instance",
        description:
          "With the redirect address to enter at the vendor. Client ids are shown to the administrator only; secrets to nobody.",
        response: { 200: oauthClientListResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      redirectUrl: redirectUrlOf(request),
      ...(await clients.list(request.userId)),
    }),
  );

  const params = z.object({ app: z.string() });
  app.put(
    "/api/oauth-clients/:app",
    {
      config: { access: "administrator" },
      schema: {
        tags,
        operationId: "putOauthClient",
        summary: "Enter the OAuth client of an app for all users",
        description: "Only for administrators. The secret is stored encrypted and never returned.",
        errors: ["app_not_found", "forbidden"],
        params,
        body: putOauthClientSchema,
        response: { 200: success({}) },
      },
    },
    async ({ userId, params: { app: id }, body }) => {
      await clients.put(userId, id, body);
      return { ok: true as const };
    },
  );

  app.delete(
    "/api/oauth-clients/:app",
    {
      config: { access: "administrator" },
      schema: {
        tags,
        operationId: "deleteOauthClient",
        summary: "Delete the OAuth client of an app",
        description:
          "Only for the administrator. Connections that use it must be connected again once their tokens end.",
        errors: ["app_not_found", "forbidden"],
        params,
        response: { 200: success({}) },
      },
    },
    async ({ userId, params: { app: id } }) => {
      await clients.remove(userId, id);
      return { ok: true as const };
    },
  );
}
