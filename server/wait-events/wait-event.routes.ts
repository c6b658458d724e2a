import * as z from "zod";
import { namedPageQuerySchema, text } from "../../contract/api.ts";
import {
  eventWaitListResponseSchema,
  resumedResponseSchema,
  sendEventSchema,
  sentEventResponseSchema,
} from "../../contract/wait-events.ts";
import type { BearerAccess } from "../accounts/bearer-access.ts";
import { PUBLIC_CALL } from "../http/audit.ts";
import { bearerOf } from "../http/auth.ts";
import { anyOf } from "../http/openapi/security.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { KEY_PREFIX } from "../security/api-keys.ts";
import type { WaitEvents } from "./wait-events.ts";

const tags = ["events"];

export interface WaitEventRoutesDeps {
  events: WaitEvents;
  access: BearerAccess;
  limiter: RateLimiter;
}

export function waitEventRoutes(app: HttpServer, { events, access, limiter }: WaitEventRoutesDeps): void {
  app.post(
    "/api/events",
    {
      config: { auth: "public", audit: PUBLIC_CALL },
      // Before the body is read, as for every route with a login.
      onRequest: async (request) => {
        const token = bearerOf(request);
        if (token === undefined || token.startsWith(KEY_PREFIX))
          request.workspaceId = (await access.authenticate(token, "endpoints", request.ip)).ownerId;
        else await request.requireAccess({ role: "operator", scope: null });
      },
      schema: {
        tags,
        security: anyOf("login", "accessToken"),
        operationId: "sendEvent",
        summary: "Send an event to a waiting step",
        errors: ["limit_reached"],
        description:
          "Continues the `wait_event` step that waits longest for this name and key, once. An event that no step waits for is kept until it expires, and the first step that waits for it takes it. Send a login token, or an API key with the scope `endpoints`.",
        body: sendEventSchema,
        response: { 200: sentEventResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await events.send(request.workspaceId, request.body)) }),
  );

  app.get(
    "/api/tasks/:id/event-waits",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listEventWaits",
        summary: "List the steps of a task that wait for an event",
        description:
          "With the name and the key that each waits for, and its resume URL, which continues it without a login. Steps inside loops are included; a task that has ended has none.",
        params: z.object({ id: z.string() }),
        querystring: namedPageQuerySchema.extend({
          stepId: text(500).optional().describe("Only the step with this path"),
        }),
        response: { 200: eventWaitListResponseSchema },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      const { items, nextCursor } = await events.listOpen(
        request.workspaceId,
        request.params.id,
        request.query,
      );
      return { ok: true as const, waits: items, nextCursor };
    },
  );

  app.post(
    "/resume/:token",
    {
      config: { auth: "public", audit: PUBLIC_CALL },
      onRequest: limitRate(limiter, (request) => clientNetwork(request.ip)),
      schema: {
        tags,
        security: [],
        operationId: "resumeByUrl",
        summary: "Continue a waiting step with its resume URL",
        errors: ["resume_url_not_found", "task_not_waiting", "limit_reached", "rate_limited"],
        description:
          "Needs no login: the URL is the credential. The JSON body, if any, is the `data` in the output of the step. A URL works once; a second call gets a 409.",
        params: z.object({ token: z.string() }),
        body: z.unknown(),
        response: { 200: resumedResponseSchema },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      return { ok: true as const, ...(await events.resume(request.params.token, request.body)) };
    },
  );
}
