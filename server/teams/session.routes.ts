import * as z from "zod";
import {
  logResponseSchema,
  logQuerySchema,
  sentMessageResponseSchema,
  sendSessionMessageSchema,
  sessionResponseSchema,
} from "../../contract/teams.ts";
import type { Sessions } from "./sessions.ts";
import { streamLog } from "./stream-log.ts";
import { sendStored } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["sessions"];
const params = z.object({ sessionId: z.string() });

export function sessionRoutes(
  app: HttpServer,
  { sessions, messageBytes }: { sessions: Sessions; messageBytes: number },
): void {
  app.get(
    "/api/agent-teams/sessions/:sessionId",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getSession",
        summary: "Read a session",
        description: "With its status, result and what it used.",
        params,
        response: { 200: sessionResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      session: sessions.view(await sessions.get(request.workspaceId, request.params.sessionId)),
    }),
  );

  app.get(
    "/api/agent-teams/sessions/:sessionId/logs",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listSessionLog",
        summary: "Read the log of a session, oldest entry first",
        description: "Messages are numbered 1, 2, 3 … without gaps; continue with `after`.",
        params,
        querystring: logQuerySchema,
        response: { 200: logResponseSchema },
      },
    },
    async (request, reply) => {
      const { after, limit } = request.query;
      const { id, lastSeq } = await sessions.get(request.workspaceId, request.params.sessionId);
      return sendStored(
        reply,
        streamLog({ after, limit, lastSeq }, (from, rest) => sessions.log(id, from, rest)),
      );
    },
  );

  app.post(
    "/api/agent-teams/sessions/:sessionId/messages",
    {
      bodyLimit: messageBytes,
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "postSessionMessage",
        summary: "Post a message to a session; one that has ended becomes active again",
        description: "Without `to` all agents receive it.",
        errors: ["session_cancelled", "session_ended"],
        params,
        body: sendSessionMessageSchema,
        response: { 200: sentMessageResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await sessions.postAs(
        request.workspaceId,
        request.params.sessionId,
        request.body,
        request.authorId,
      )),
    }),
  );

  app.post(
    "/api/agent-teams/sessions/:sessionId/cancel",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "cancelSession",
        summary: "Cancel a session",
        description: "No further turn starts. The messages so far are kept.",
        errors: ["session_ended"],
        params,
        response: { 200: sessionResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      session: sessions.view(
        await sessions.cancel(request.workspaceId, request.params.sessionId, request.authorId),
      ),
    }),
  );
}
