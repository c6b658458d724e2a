import type { FastifyRequest } from "fastify";
import { success } from "../../../contract/api.ts";
import {
  chatParamsSchema,
  conversationParamsSchema,
  conversationResponseSchema,
  publicChatEventSchema,
  publicChatResponseSchema,
  sendChatMessageSchema,
} from "../../../contract/public-chat.ts";
import { PUBLIC_CALL } from "../../http/audit.ts";
import { bearerOf, type TokenCheck } from "../../http/auth.ts";
import { createEventStreams } from "../../http/event-stream.ts";
import { anyOf } from "../../http/openapi/security.ts";
import { limitRate, refusalOf } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";
import { AppError } from "../../lib/errors.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import type { Limits } from "../../limits/limits.ts";
import { clientNetwork } from "../../security/address-classes.ts";
import { type ChatRecord, type Chats } from "./chats.ts";

export interface ChatRoutesDeps {
  chats: Chats;
  logins: TokenCheck;
  limiter: RateLimiter;
  /** Limits all requests except messages. */
  readLimiter: RateLimiter;
  openStream: Limits["openStream"];
}

const tags = ["public"];
const config = { auth: "public" as const, audit: PUBLIC_CALL };
const security = anyOf("login", "nothing");

declare module "fastify" {
  interface FastifyRequest {
    /** The chat of the path, and the account of its visitor when it needs one. */
    chat: { record: ChatRecord; userId: string | undefined } | null;
  }
}

/** The data of the chat page. */
export function publicChatRoutes(
  app: HttpServer,
  { chats, logins, limiter, readLimiter, openStream }: ChatRoutesDeps,
): void {
  const openEvents = createEventStreams(app, openStream);
  app.decorateRequest("chat", null);

  /** Before the body is read. */
  async function onRequest(request: FastifyRequest): Promise<void> {
    const { slug } = request.params as { slug: string };
    const record = await chats.find(slug);
    const token = bearerOf(request);
    const needsLogin = record.settings.access === "login";
    if (needsLogin && token === undefined)
      throw new AppError("missing_token", "This chat is for people with an account. Log in first.");
    const userId = needsLogin ? (await logins.verify(token!)).userId : undefined;
    request.chat = { record, userId };
  }

  async function limitMessages(request: FastifyRequest): Promise<void> {
    const { record } = chatOf(request);
    const refusal = refusalOf(await limiter.take(`${record.id}:${clientNetwork(request.ip)}`));
    if (refusal !== undefined) throw refusal;
  }

  const limitReads = limitRate(readLimiter, ({ ip }) => clientNetwork(ip));

  const chatOf = (request: FastifyRequest) => request.chat!;
  /** Another account cannot read a conversation of a chat behind a login, even with its id. */
  const keyOf = (request: FastifyRequest, conversationId: string) => {
    const { userId } = chatOf(request);
    return userId === undefined ? conversationId : `${userId}.${conversationId}`;
  };

  app.get(
    "/api/chats/:slug",
    {
      config,
      onRequest: limitReads,
      schema: {
        tags,
        operationId: "getChat",
        summary: "Read the texts of a chat",
        description: "Nothing else about the workflow or agent that answers it.",
        errors: ["chat_not_found", "workflow_paused", "rate_limited"],
        security: [],
        params: chatParamsSchema,
        response: { 200: publicChatResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, chat: await chats.describe(request.params.slug) }),
  );

  app.post(
    "/api/chats/:slug/messages",
    {
      config,
      onRequest: [onRequest, limitMessages],
      schema: {
        tags,
        operationId: "sendChatMessage",
        summary: "Send a message to a chat: the answer as server-sent events",
        errors: [
          "chat_not_found",
          "missing_token",
          "invalid_token",
          "workflow_paused",
          "rate_limited",
          "limit_reached",
        ],
        description:
          "Starts a run with `message`, `conversationId` and `history`. It continues when the client disconnects; the answer is then in the conversation.",
        security,
        params: chatParamsSchema,
        body: sendChatMessageSchema,
        events: publicChatEventSchema,
      },
    },
    async (request, reply) => {
      const { record, userId } = chatOf(request);
      // Before the run starts. Visitors must not use up the streams of the owner.
      const events = openEvents(request, reply, {
        ownerId: `chat ${record.id}`,
        watch: (onEnd) =>
          userId === undefined ? () => undefined : logins.watch(userId, bearerOf(request)!, onEnd),
      });
      try {
        await chats.answer(record, keyOf(request, request.body.conversationId), request.body, {
          emit: ({ event, ...data }) => events.send(event, data),
          signal: events.signal,
        });
      } catch (error) {
        if (!events.signal.aborted) throw error;
      } finally {
        events.end();
      }
      return reply;
    },
  );

  app.get(
    "/api/chats/:slug/conversations/:conversationId",
    {
      config,
      onRequest: [limitReads, onRequest],
      schema: {
        tags,
        operationId: "getConversation",
        summary: "Read a conversation",
        description:
          "The last 100 messages with their answers, oldest first. An unknown conversation is empty.",
        errors: ["chat_not_found", "missing_token", "invalid_token", "rate_limited"],
        security,
        params: conversationParamsSchema,
        response: { 200: conversationResponseSchema },
      },
    },
    async (request) => {
      const { record } = chatOf(request);
      return {
        ok: true as const,
        messages: await chats.read(record, keyOf(request, request.params.conversationId)),
      };
    },
  );

  app.delete(
    "/api/chats/:slug/conversations/:conversationId",
    {
      config,
      onRequest: [limitReads, onRequest],
      schema: {
        tags,
        operationId: "deleteConversation",
        summary: "Delete a conversation",
        description: "Its messages and answers. The runs stay with the owner of the chat.",
        errors: ["chat_not_found", "missing_token", "invalid_token", "rate_limited"],
        security,
        params: conversationParamsSchema,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await chats.forget(chatOf(request).record, keyOf(request, request.params.conversationId));
      return { ok: true as const };
    },
  );
}
