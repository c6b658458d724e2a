import * as z from "zod";
import { errorSchema, pageQuerySchema, success } from "../../contract/api.ts";
import { type ConnectedApp, connectedAppListSchema } from "../../contract/oauth.ts";
import type { HttpServer } from "../http/server.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import type { UseRecorder } from "../lib/use-recorder.ts";
import type { GrantRecord, GrantStore } from "./grant.sql.ts";

const tags = ["oauth"];
const failures = { "4xx": errorSchema };

export interface ConnectedAppRoutesDeps {
  grants: Pick<GrantStore, "list" | "disconnect">;
  uses: Pick<UseRecorder, "lastUseOf">;
  clock: Clock;
  /** Ends the streams of this account whose credential has ended. */
  credentialsChanged(userId: string): void;
}

export function connectedAppRoutes(
  app: HttpServer,
  { grants, uses, clock, credentialsChanged }: ConnectedAppRoutesDeps,
): void {
  app.get(
    "/api/connected-apps",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "listConnectedApps",
        summary: "List the apps that you allowed to connect, newest first",
        description: "One entry for each consent: an app on two computers is listed twice.",
        querystring: pageQuerySchema,
        response: { 200: connectedAppListSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await grants.list(request.userId, clock.now(), request.query);
      const apps = items.map((grant) => toApp({ ...grant, lastUsedAt: uses.lastUseOf(grant) }));
      return { ok: true as const, apps, nextCursor };
    },
  );

  app.delete(
    "/api/connected-apps/:id",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "disconnectApp",
        summary: "Disconnect an app",
        description:
          "All its tokens are refused from the next request on, in every process, and its open streams end.",
        params: z.object({ id: z.string() }),
        response: { 200: success({}), ...failures },
      },
    },
    async (request) => {
      await grants.disconnect(request.userId, request.params.id);
      credentialsChanged(request.userId);
      return { ok: true as const };
    },
  );
}

function toApp(grant: GrantRecord): ConnectedApp {
  const {
    id,
    ownerId: workspaceId,
    clientName: name,
    clientId,
    target,
    scopes,
    createdAt,
    lastUsedAt,
    expiresAt,
  } = grant;
  return {
    id,
    name,
    clientId,
    workspaceId,
    target,
    scopes: [...scopes],
    createdAt: toIso(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
    expiresAt: toIso(expiresAt),
  };
}
