import { anyOf } from "../http/openapi/security.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import { bearerOf } from "../http/auth.ts";
import { sendError } from "../http/errors.ts";
import { JSON_MEDIA_TYPE, parseJsonBytes } from "../http/json-body.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { type A2aAccess, type A2aAccessCheck, idOf } from "./a2a-access.ts";
import { INTERNAL_ERROR, PARSE_ERROR, withProtocolErrors } from "./a2a-errors.ts";
import { callByRest, type RestResponse } from "./a2a-rest.ts";
import type { A2aAgents } from "./agents.ts";
import { encodeCard } from "./card-json.ts";
import { callByRpc, isStreaming, readRpcRequest, rpcFailure } from "./json-rpc.ts";
import { type Binding, readVersion } from "./protocol-version.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { sendEvents } from "./send-events.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the routes of A2A agents: who calls which agent. */
    a2aAccess: A2aAccess | null;
  }
  interface FastifyContextConfig {
    /** Errors of the route have the shape of this binding. */
    a2aBinding?: Binding;
  }
}

export interface A2aRoutesDeps {
  access: A2aAccessCheck;
  agents: A2aAgents;
  limiter: RateLimiter;
  bodyLimitBytes: number;
  openStream: Limits["openStream"];
  /** The public URL of the service; without it, the address of the request is used. */
  publicUrl: string | undefined;
}

const tags = ["a2a"];
const params = z.object({ agentId: z.string().describe("The id of a team or of an exposed workflow") });
const taskParams = params.extend({
  taskId: z.string().describe("The id of a task, optionally followed by :cancel or :subscribe"),
});
const CARD_CACHE_SECONDS = 60;

/** Teams and workflows as A2A agents: the card, JSON-RPC at the agent's URL, HTTP+JSON below it. */
export function a2aRoutes(app: HttpServer, deps: A2aRoutesDeps): void {
  app.decorateRequest("a2aAccess", null);
  // A scope of its own: bodies are parsed by the routes, because a malformed one is an error of the binding.
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(JSON_MEDIA_TYPE, { parseAs: "buffer" }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler(sendA2aError);
    serveAgents(scope as unknown as HttpServer, deps);
    done();
  });
}

function serveAgents(app: HttpServer, deps: A2aRoutesDeps): void {
  const baseOf = (request: FastifyRequest): string =>
    deps.publicUrl ?? `${request.protocol}://${request.host}`;

  app.get(
    "/a2a/:agentId/.well-known/agent-card.json",
    {
      config: { auth: "public" },
      onRequest: limitRate(deps.limiter, (request) => `${request.ip} card`),
      schema: {
        tags,
        operationId: "getAgentCard",
        summary: "Get the A2A card of an agent",
        description:
          "The card of A2A 1.0. Without the header `A2A-Version: 1.0` it also has the fields that clients of 0.3 read. Send the `ETag` of an earlier response as `If-None-Match` to get 304 while it is unchanged.",
        security: [],
        errors: ["team_not_found", "rate_limited"],
        params,
        response: {
          200: z.looseObject({}),
          304: z.null().describe("The card is unchanged"),
        },
      },
    },
    async (request, reply) => {
      const agent = await deps.access.get(request.params.agentId);
      const sdk = await loadSdk();
      const { body, etag } = encodeCard(
        sdk,
        await deps.agents.card(agent, baseOf(request)),
        request.headers["a2a-version"],
      );
      reply
        .header("etag", etag)
        .header("vary", "A2A-Version")
        .header("cache-control", `public, max-age=${CARD_CACHE_SECONDS}`);
      if (request.headers["if-none-match"]?.split(/\s*,\s*/).includes(etag) === true)
        return reply.status(304).send(null);
      return reply.send(body);
    },
  );

  // Shutdown does not wait for running tasks: waiting callers get the current state.
  const closing = new AbortController();
  app.addHook("preClose", (done) => {
    closing.abort();
    done();
  });

  function handlerFor(request: FastifyRequest, reply: FastifyReply, sdk: Sdk) {
    const disconnected = new AbortController();
    reply.raw.once("close", () => disconnected.abort());
    return deps.agents.handler(request.a2aAccess!, {
      sdk,
      base: baseOf(request),
      disconnected: AbortSignal.any([disconnected.signal, closing.signal]),
    });
  }

  function contextOf(request: FastifyRequest, sdk: Sdk, binding: Binding) {
    const query = request.query as Record<string, unknown>;
    const requestedVersion = readVersion(
      sdk,
      binding,
      request.headers["a2a-version"] ?? query["A2A-Version"],
    );
    return new sdk.server.ServerCallContext({ requestedVersion });
  }

  const onRequest = [
    // All malformed ids share one bucket, so that made-up ids cannot fill the limiter's memory.
    limitRate(deps.limiter, (request) => `${request.ip} ${agentIdOf(request)}`),
    async (request: FastifyRequest) => {
      request.a2aAccess = await deps.access.authenticate((request.params as { agentId: string }).agentId, {
        secret: headerOf(request, "x-a2a-secret"),
        agentName: headerOf(request, "x-a2a-agent"),
        bearer: bearerOf(request),
      });
    },
    /** A request may stay open for as long as a task runs, so each counts as a stream of its agent. */
    async (request: FastifyRequest, reply: FastifyReply) => {
      const endStream = deps.openStream(`a2a ${idOf(request.a2aAccess!.agent)}`, clientNetwork(request.ip));
      reply.raw.once("close", endStream);
      if (reply.raw.closed) endStream();
    },
  ];
  const authenticated = (a2aBinding: Binding) => ({
    config: { auth: "public" as const, a2aBinding },
    bodyLimit: deps.bodyLimitBytes,
    onRequest,
  });
  const described = {
    tags,
    security: anyOf("a2aSecret", "accessToken"),
    errors: ["rate_limited", "limit_reached"] as const,
    params,
    response: { 200: z.looseObject({}), "4xx": errorSchema.or(z.looseObject({})) },
  };

  for (const url of ["/a2a/:agentId", "/a2a/:agentId/"])
    app.post(
      url,
      {
        ...authenticated("JSONRPC"),
        schema: {
          ...described,
          hide: url.endsWith("/"),
          operationId: url.endsWith("/") ? "callAgentWithSlash" : "callAgent",
          summary: "Call an agent over JSON-RPC",
          description:
            "The methods of A2A 1.0 (`SendMessage`, `GetTask`, `ListTasks` …) with the header `A2A-Version: 1.0`; without it, those of 0.3 (`message/send`, `tasks/get` …). Streaming methods answer with server-sent events.",
          body: z.unknown(),
        },
      },
      async (request, reply) => {
        const sdk = await loadSdk();
        const send = (response: Record<string, unknown>) =>
          reply.type("application/json; charset=utf-8").serializer(JSON.stringify).send(response);
        const body = parsedBody(request);
        if (body === MALFORMED) return send(rpcFailure(null, PARSE_ERROR));
        const read = readRpcRequest(body);
        if ("error" in read) return send(rpcFailure(read.id, read.error));
        const fail = (error: unknown) => rpcFailure(read.id, rpcErrorOf(sdk, error));
        try {
          const context = contextOf(request as FastifyRequest, sdk, "JSONRPC");
          const response = await callByRpc({
            sdk,
            agent: handlerFor(request as FastifyRequest, reply as unknown as FastifyReply, sdk),
            context,
            request: read,
            isLegacy: context.requestedVersion === "0.3",
          });
          if (!(Symbol.asyncIterator in response)) return await send(response);
          return await sendEvents(reply as unknown as FastifyReply, response, fail);
        } catch (error) {
          if (!(error instanceof sdk.errors.A2AError)) throw error;
          if (!isStreaming(read)) return send(fail(error));
          return sendEvents(reply as unknown as FastifyReply, once(fail(error)), fail);
        }
      },
    );

  /** One operation of the HTTP+JSON binding. */
  async function byRest(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const sdk = await loadSdk();
    const fail = (error: unknown) => restErrorOf(sdk, error);
    const send = (status: number, body: object): FastifyReply =>
      reply.status(status).type("application/a2a+json").serializer(JSON.stringify).send(body);
    try {
      const context = contextOf(request, sdk, "HTTP+JSON");
      const body = parsedBody(request);
      if (body === MALFORMED) throw new sdk.errors.RequestMalformedError("The body is not valid JSON");
      const response: RestResponse = await callByRest({
        sdk,
        agent: withProtocolErrors(sdk, handlerFor(request, reply, sdk)),
        context,
        method: request.method,
        segments: segmentsOf(request),
        query: request.query as Record<string, unknown>,
        body,
      });
      await (Symbol.asyncIterator in response ? sendEvents(reply, response, fail) : send(200, response));
    } catch (error) {
      if (!(error instanceof sdk.errors.A2AError)) throw error;
      await send(sdk.errors.restStatusFor(error), fail(error));
    }
    return reply as never;
  }

  const rest = (
    method: "GET" | "POST" | "DELETE",
    path: string,
    documented: { operationId: string; summary: string; description: string; params?: z.ZodObject },
  ) =>
    app.route({
      method,
      url: `/a2a/:agentId/${path}`,
      ...authenticated("HTTP+JSON"),
      schema: { ...described, ...documented, ...(method === "POST" && { body: z.unknown() }) },
      handler: (request, reply) => byRest(request as FastifyRequest, reply as unknown as FastifyReply),
    });

  rest("POST", ":operation", {
    operationId: "sendAgentMessage",
    summary: "Send a message to an agent",
    description:
      "`message:send` waits for the end of the task, `message:stream` sends its events. Requires the header `A2A-Version: 1.0`.",
    params: params.extend({ operation: z.enum(["message:send", "message:stream"]).or(z.string()) }),
  });
  rest("GET", "tasks", {
    operationId: "listAgentTasks",
    summary: "List the caller's tasks at an agent",
    description:
      "Most recently changed first. Filters: `contextId`, `status`, `statusTimestampAfter`; `pageSize` (1–100), `pageToken`, `historyLength`, `includeArtifacts`.",
  });
  rest("GET", "tasks/:taskId", {
    operationId: "getAgentTask",
    summary: "Get or follow a task of an agent",
    description: "With `:subscribe` after the id, server-sent events up to the end of the task.",
    params: taskParams,
  });
  rest("POST", "tasks/:taskId", {
    operationId: "cancelAgentTask",
    summary: "Cancel or follow a task of an agent",
    description: "`:cancel` or `:subscribe` after the id.",
    params: taskParams,
  });
  rest("GET", "extendedAgentCard", {
    operationId: "getExtendedAgentCard",
    summary: "Get the extended card of an agent",
    description: "For authenticated callers: the card with details that the public one does not have.",
  });
  const configs = "tasks/:taskId/pushNotificationConfigs";
  rest("POST", configs, {
    operationId: "createAgentPushConfig",
    summary: "Register a webhook for a task of an agent",
    description: "The webhook receives the events of the task until its end.",
    params: taskParams,
  });
  rest("GET", configs, {
    operationId: "listAgentPushConfigs",
    summary: "List the webhooks of a task of an agent",
    description: "Without their credentials.",
    params: taskParams,
  });
  const configParams = taskParams.extend({ configId: z.string() });
  rest("GET", `${configs}/:configId`, {
    operationId: "getAgentPushConfig",
    summary: "Get a webhook of a task of an agent",
    description: "Without its credentials.",
    params: configParams,
  });
  rest("DELETE", `${configs}/:configId`, {
    operationId: "deleteAgentPushConfig",
    summary: "Delete a webhook of a task of an agent",
    description: "A second deletion changes nothing.",
    params: configParams,
  });
}

const MALFORMED = Symbol("malformed");

function parsedBody(request: FastifyRequest): unknown {
  if (!Buffer.isBuffer(request.body)) return request.method === "POST" ? undefined : {};
  try {
    return parseJsonBytes(request.body);
  } catch {
    return MALFORMED;
  }
}

/** Errors outside the operations: of authentication and limits as everywhere, of the request in the shape of its binding. */
function sendA2aError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const binding = request.routeOptions.config.a2aBinding;
  if (error instanceof AppError || binding === undefined) return sendError(error, request, reply);
  const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
  if (status === 500) request.log.error({ requestId: request.id, err: error }, "request failed");
  const message =
    status === 500
      ? "An internal error occurred."
      : status === 415
        ? "Incompatible content types: send the body as application/json."
        : status === 413
          ? "The body is larger than this agent accepts."
          : "The request could not be parsed.";
  const body =
    binding === "JSONRPC"
      ? rpcFailure(null, {
          code: status === 500 ? INTERNAL_ERROR.code : status === 415 ? -32005 : -32600,
          message,
        })
      : {
          error: {
            code: status,
            status: status === 500 ? "INTERNAL" : "INVALID_ARGUMENT",
            message,
            details: [],
          },
        };
  return reply
    .status(status)
    .type(binding === "JSONRPC" ? "application/json; charset=utf-8" : "application/a2a+json")
    .serializer(JSON.stringify)
    .send(body);
}

function rpcErrorOf({ errors }: Sdk, error: unknown) {
  return error instanceof errors.A2AError ? errors.toJsonRpcError(error) : INTERNAL_ERROR;
}

function restErrorOf({ errors }: Sdk, error: unknown): object {
  const status = errors.restStatusFor(error);
  return error instanceof errors.A2AError
    ? errors.toRestErrorBody(error, status)
    : { error: { code: 500, status: "INTERNAL", message: INTERNAL_ERROR.message, details: [] } };
}

async function* once(value: object): AsyncGenerator<object> {
  yield await Promise.resolve(value);
}

function agentIdOf(request: FastifyRequest): string {
  const { agentId } = request.params as { agentId: string };
  return isId("team", agentId) || isId("wf", agentId) ? agentId : "?";
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Below `/a2a/:agentId/`. */
function segmentsOf(request: FastifyRequest): string[] {
  const [path = ""] = request.url.split("?", 1);
  return path.split("/").slice(3).map(decodeURIComponent);
}
