import type { ServerResponse } from "node:http";
import * as z from "zod";
import { agentChatSchema, decidedToolCallSchema, decideToolCallSchema } from "../../contract/agent-chat.ts";
import { errorSchema } from "../../contract/api.ts";
import type { HttpServer } from "../http/server.ts";
import type { Limits } from "../limits/limits.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { AgentChats } from "./agent-chat.ts";

const tags = ["agents"];
const failures = { "4xx": errorSchema, "5xx": errorSchema };
const KEEP_ALIVE_MS = 15_000;

export function agentChatRoutes(
  app: HttpServer,
  { chats, openStream }: { chats: AgentChats; openStream: Limits["openStream"] },
): void {
  const open = new Set<ServerResponse>();
  app.addHook("preClose", (done) => {
    for (const response of open) response.destroy();
    done();
  });

  app.post(
    "/api/agents/:id/chat",
    {
      schema: {
        tags,
        summary: "Chat with an agent: one answer as server-sent events",
        description:
          "Streams the text, the tool calls and their results. Workflows run after `POST …/tool-calls/:callId` has allowed them. Nothing of the conversation is stored; send it again with the next message.",
        params: z.object({ id: z.string() }),
        body: agentChatSchema,
        response: { 200: z.string().describe("text/event-stream"), ...failures },
      },
    },
    async (request, reply) => {
      const answer = await chats.open(request.userId, request.params.id, request.body);
      const endStream = openStream(request.userId, clientNetwork(request.ip));
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
      });
      open.add(response);
      const unwatch = request.watchLogin(() => response.destroy());
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      if (response.closed) gone.abort();
      const write = (text: string) => void (gone.signal.aborted || response.write(text));
      const keepAlive = setInterval(() => write(": keep-alive\n\n"), KEEP_ALIVE_MS);
      try {
        await answer(
          ({ event, ...data }) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
          gone.signal,
        );
      } finally {
        clearInterval(keepAlive);
        open.delete(response);
        unwatch();
        endStream();
        response.end();
      }
    },
  );

  app.post(
    "/api/agents/:id/chats/:chatId/tool-calls/:callId",
    {
      schema: {
        tags,
        summary: "Allow or deny a tool call of a chat, once",
        params: z.object({ id: z.string(), chatId: z.string(), callId: z.string() }),
        body: decideToolCallSchema,
        response: { 200: decidedToolCallSchema, "4xx": errorSchema },
      },
    },
    async (request) => {
      const { id, chatId, callId } = request.params;
      await chats.decide(request.userId, id, chatId, callId, request.body.allow);
      return { ok: true as const };
    },
  );
}
