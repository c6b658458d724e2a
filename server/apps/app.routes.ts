import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import {
  appListResponseSchema,
  appOptionsResponseSchema,
  appOptionsSchema,
  appQuerySchema,
  appResponseSchema,
} from "../../contract/apps.ts";
import { sendStored } from "../http/replies.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { createAppOptions } from "./app-options.ts";
import type { AppCatalogue } from "./catalogue.ts";

const MAX_ACTIONS = 200;

export interface AppRoutesDeps {
  catalogue: Pick<AppCatalogue, "list" | "get">;
  listOptions: ReturnType<typeof createAppOptions>;
  limiter: RateLimiter;
}

export function appRoutes(app: HttpServer, { catalogue, listOptions, limiter }: AppRoutesDeps): void {
  app.get(
    "/api/apps",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags: ["apps"],
        operationId: "listApps",
        summary: "List the apps",
        description:
          "Every app with its actions and triggers. `connected` says whether you have a connection of it. The fields of actions are in `GET /api/apps/{id}`.",
        responseExample: { ok: true, apps: [] },
        response: { 200: appListResponseSchema },
      },
    },
    async (request, reply) => {
      const apps: string[] = [];
      for (const each of await catalogue.list(request.workspaceId)) {
        apps.push(JSON.stringify(each));
        // Fifty APIs may have a hundred thousand operations.
        if (each.isOwn) await nextTurn();
      }
      return sendStored(reply, `{"ok":true,"apps":[${apps.join(",")}]}`) as never;
    },
  );

  app.get(
    "/api/apps/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags: ["apps"],
        operationId: "getApp",
        summary: "Get an app",
        description:
          "How to connect it, and the fields and a sample of every action and trigger. A step of the type `app` runs an action. An app of your own may have a thousand actions: name those that you need.",
        params: z.object({ id: z.string() }),
        querystring: appQuerySchema,
        response: { 200: appResponseSchema },
      },
    },
    async ({ workspaceId, params: { id }, query: { actions } }) => ({
      ok: true as const,
      app: await catalogue.get(workspaceId, id, actions?.split(",").slice(0, MAX_ACTIONS)),
    }),
  );

  app.post(
    "/api/apps/:id/options",
    {
      config: { access: { role: "builder", scope: "connections:read" }, audit: { none: "changes nothing" } },
      schema: {
        tags: ["apps"],
        operationId: "listAppOptions",
        summary: "List the choices of a field",
        description:
          "Asks the app, with one of your connections, for the values that a field can have: channels, sheets, repositories. Changes nothing.",
        errors: ["fetch_failed", "limit_reached", "rate_limited"],
        params: z.object({ id: z.string() }),
        body: appOptionsSchema,
        bodyExample: { options: "channels", connection: "conn_01J9X3", search: "gen" },
        response: { 200: appOptionsResponseSchema },
      },
      onRequest: limitRate(limiter, (request) => request.workspaceId),
    },
    async (request) => ({
      ok: true as const,
      ...(await listOptions(request.workspaceId, request.params.id, request.body)),
    }),
  );
}
