import * as z from "zod";
import {
  agentChatEventSchema,
  agentChatSchema,
  decidedToolCallSchema,
  decideToolCallSchema,
} from "../../contract/agent-chat.ts";
import { createEventStreams } from "../http/event-stream.ts";
import type { HttpServer } from "../http/server.ts";
import type { Limits } from "../limits/limits.ts";
import type { AgentChats } from "./agent-chat.ts";

const tags = ["agents"];

export function agentChatRoutes(
  app: HttpServer,
  { chats, openStream }: { chats: AgentChats; openStream: Limits["openStream"] },
): void {
  const openEvents = createEventStreams(app, openStream);

  app.post(
    "/api/agents/:id/chat",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "chatWithAgent",
        summary: "Chat with an agent: one answer as server-sent events",
        errors: ["limit_reached", "llm_not_configured", "model_failed"],
        description:
          "Streams the text, the tool calls and their results. Workflows run after `POST …/tool-calls/:callId` has allowed them. Nothing of the conversation is stored; send it again with the next message.",
        params: z.object({ id: z.string() }),
        body: agentChatSchema,
        events: agentChatEventSchema,
      },
    },
    async (request, reply) => {
      const answer = await chats.open(request.workspaceId, request.params.id, request.body);
      const events = openEvents(request, reply);
      try {
        await answer(({ event, ...data }) => events.send(event, data), events.signal);
      } finally {
        events.end();
      }
      return reply;
    },
  );

  app.post(
    "/api/agents/:id/chats/:chatId/tool-calls/:callId",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "decideToolCall",
        summary: "Allow or deny a tool call of a chat, once",
        description: "For a `tool_call` event with `asksFirst`: the chat waits for it.",
        errors: ["tool_call_not_found"],
        params: z.object({ id: z.string(), chatId: z.string(), callId: z.string() }),
        body: decideToolCallSchema,
        response: { 200: decidedToolCallSchema },
      },
    },
    async (request) => {
      const { id, chatId, callId } = request.params;
      await chats.decide(request.workspaceId, id, chatId, callId, request.body.allow);
      return { ok: true as const };
    },
  );
}
