import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import {
  logResponseSchema,
  logQuerySchema,
  sentMessageResponseSchema,
  sendSessionMessageSchema,
  sessionResponseSchema,
} from "../../contract/teams.ts";
import { toLogEntry } from "./session-view.ts";
import type { Sessions } from "./sessions.ts";
import { sendJson } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["sessions"];
const params = z.object({ sessionId: z.string() });
const failures = { "4xx": errorSchema };

export function sessionRoutes(
  app: HttpServer,
  { sessions, messageBytes }: { sessions: Sessions; messageBytes: number },
): void {
  app.get(
    "/api/agent-teams/sessions/:sessionId",
    {
      schema: {
        tags,
        operationId: "getSession",
        summary: "Read a session",
        params,
        response: { 200: sessionResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      session: sessions.view(await sessions.get(request.userId, request.params.sessionId)),
    }),
  );

  app.get(
    "/api/agent-teams/sessions/:sessionId/logs",
    {
      schema: {
        tags,
        operationId: "listSessionLog",
        summary: "Read the log of a session, oldest entry first",
        params,
        querystring: logQuerySchema,
        response: { 200: logResponseSchema, ...failures },
      },
    },
    async (request, reply) => {
      const { after, limit } = request.query;
      const logs = await sessions.logs(request.userId, request.params.sessionId, after, limit);
      return sendJson(reply, 200, { ok: true, logs: logs.map(toLogEntry) });
    },
  );

  app.post(
    "/api/agent-teams/sessions/:sessionId/messages",
    {
      bodyLimit: messageBytes,
      schema: {
        tags,
        operationId: "postSessionMessage",
        summary: "Post a message to a session; one that has ended becomes active again",
        params,
        body: sendSessionMessageSchema,
        response: { 200: sentMessageResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await sessions.postAs(request.userId, request.params.sessionId, request.body)),
    }),
  );

  app.post(
    "/api/agent-teams/sessions/:sessionId/cancel",
    {
      schema: {
        tags,
        operationId: "cancelSession",
        summary: "Cancel a session",
        params,
        response: { 200: sessionResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      session: sessions.view(await sessions.cancel(request.userId, request.params.sessionId)),
    }),
  );
}
