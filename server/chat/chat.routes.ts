import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import {
  chatCompletionRequestSchema,
  chatCompletionSchema,
  chatErrorSchema,
  chatModelListSchema,
  chatModelSchema,
} from "../../contract/chat-completions.ts";
import type { BearerAccess, Caller } from "../accounts/bearer-access.ts";
import { bearerOf } from "../http/auth.ts";
import { toErrorResponse } from "../http/errors.ts";
import { createEventStreams, type StreamCaller } from "../http/event-stream.ts";
import { refusalOf } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import { toChatError } from "./chat-error.ts";
import type { Chats } from "./chats.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The program that calls the OpenAI-compatible API. */
    chatCaller: Caller | null;
  }
}

export interface ChatRoutesDeps {
  chats: Chats;
  access: BearerAccess;
  limiter: RateLimiter;
  openStream: Limits["openStream"];
  bodyLimitBytes: number;
}

const tags = ["chat"];
/** Errors have the shape of OpenAI. */
const failures = { "4xx": chatErrorSchema };
const config = { auth: "public" as const, audit: PUBLIC_CALL };
const description =
  "Requires `Authorization: Bearer <key>` with an API key that has the scope `chat`. Errors have OpenAI's shape.";

/** OpenAI's chat API under /v1: a model is an exposed workflow, agent or team. */
export function chatRoutes(app: HttpServer, deps: ChatRoutesDeps): void {
  const { chats, access, limiter, openStream, bodyLimitBytes } = deps;
  const openEvents = createEventStreams(app, openStream);
  app.decorateRequest("chatCaller", null);

  /** Before the body is read. */
  async function onRequest(request: FastifyRequest): Promise<void> {
    const caller = await access.authenticate(bearerOf(request), "chat", request.ip);
    request.chatCaller = caller;
    const refusal = refusalOf(await limiter.take(caller.callerId));
    if (refusal !== undefined) throw refusal;
  }
  const callerOf = (request: FastifyRequest) => request.chatCaller as Caller;
  const streamCallerOf = (request: FastifyRequest): StreamCaller => {
    const presented = { rawToken: bearerOf(request), scope: "chat" as const, address: request.ip };
    return {
      ownerId: callerOf(request).ownerId,
      watch: (onEnd) => access.watch(callerOf(request), presented, onEnd),
    };
  };

  // A separate scope: its error handler answers in OpenAI's shape.
  void app.register((scoped: HttpServer, _options, done) => {
    scoped.setErrorHandler(sendChatError);

    scoped.get(
      "/v1/models",
      {
        config,
        onRequest,
        schema: {
          tags,
          operationId: "listChatModels",
          summary: "List the models: workflows, agents and teams that are switched on for chat",
          description,
          security: anyOf("accessToken"),
          response: { 200: chatModelListSchema, ...failures },
        },
      },
      async (request) => ({ object: "list" as const, data: await chats.models(callerOf(request).ownerId) }),
    );

    scoped.get(
      "/v1/models/:id",
      {
        config,
        onRequest,
        schema: {
          tags,
          operationId: "getChatModel",
          summary: "Read a model",
          description,
          security: anyOf("accessToken"),
          params: z.object({ id: z.string() }),
          response: { 200: chatModelSchema, ...failures },
        },
      },
      async (request) => chats.model(callerOf(request).ownerId, request.params.id),
    );

    scoped.post(
      "/v1/chat/completions",
      {
        config,
        onRequest,
        bodyLimit: bodyLimitBytes,
        schema: {
          tags,
          operationId: "createChatCompletion",
          summary: "Answer a chat with a workflow, an agent or a team",
          description: `${description} With \`stream: true\` the answer is sent as server-sent events that end with \`[DONE]\`. The run is a task: its id is the \`id\` and the header \`x-task-id\`. It continues when the client disconnects.`,
          security: anyOf("accessToken"),
          requestHeaders: ["IdempotencyKey"],
          errors: ["idempotency_conflict", "rate_limited", "limit_reached"],
          body: chatCompletionRequestSchema,
          response: { 200: chatCompletionSchema, ...failures },
        },
      },
      async (request, reply) => {
        const key = request.headers["idempotency-key"];
        const isStream = request.body.stream === true;
        const events = isStream ? openEvents(request, reply, streamCallerOf(request)) : undefined;
        try {
          const chat = await chats.open(callerOf(request), request.body, key, events?.sendData);
          // The run exists from here on: a client that retries by itself would start a second one.
          reply.headers({ "x-task-id": chat.id, "x-should-retry": "false" });
          if (events === undefined) return await chat.answer(goneSignal(reply));
          await chat.stream(events.signal);
          return reply;
        } catch (error) {
          if (events?.hasBegun !== true) throw error;
          // The status is sent: the error is the last event.
          events.sendData(JSON.stringify(bodyOf(error, request)));
          return reply;
        } finally {
          events?.end();
        }
      },
    );

    // Clients probe other routes of OpenAI's API: they read an error only in this shape.
    scoped.route({
      method: ["GET", "POST", "DELETE"],
      url: "/v1/*",
      config,
      schema: { hide: true },
      handler(request) {
        throw new AppError(
          "not_found",
          `${request.method} ${request.url.split("?")[0]} is not part of this API. It has /v1/chat/completions and /v1/models.`,
        );
      },
    });
    done();
  });
}

/** Aborted when the client has left. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}

function sendChatError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = toErrorResponse(thrown);
  if (thrown instanceof AppError && thrown.retryAfterMs !== undefined)
    reply.header("retry-after", Math.ceil(thrown.retryAfterMs / 1000));
  return reply
    .status(status)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(bodyOf(thrown, request));
}

function bodyOf(thrown: unknown, request: FastifyRequest) {
  const { status, body } = toErrorResponse(thrown);
  // The failure of a run is the user's to read; that of the service is in the log.
  if (thrown instanceof AppError && thrown.code === "execution_failed")
    return toChatError(status, { error: thrown.code, message: thrown.message });
  if (status >= 500) request.log.error({ requestId: request.id, err: thrown }, "request failed");
  return toChatError(status, body);
}
