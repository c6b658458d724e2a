import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import { bearerOf } from "../http/auth.ts";
import { sendError } from "../http/errors.ts";
import { parseAnyJsonBytes } from "../http/json-body.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import { JSON_MEDIA_TYPE } from "../lib/json-media-type.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import { createBaseUrl } from "../oauth/base-url.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { type A2aAccess, type A2aAccessCheck, type A2aCredentials, idOf } from "./a2a-access.ts";
import { INTERNAL_ERROR } from "./a2a-errors.ts";
import { restRoutes } from "./a2a-rest.routes.ts";
import { rpcRoutes } from "./a2a-rpc.routes.ts";
import type { A2aAgents } from "./agents.ts";
import { encodeCard } from "./card-json.ts";
import { AGENT_PARAMS as params, type BindingRoutes, MALFORMED } from "./binding-routes.ts";
import { rpcFailure } from "./json-rpc.ts";
import { type Binding, readVersion } from "./protocol-version.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The agent and the caller of the request; set by the routes of A2A agents. */
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
const CARD_CACHE_SECONDS = 60;

/** Teams and workflows as A2A agents: the card, JSON-RPC at the agent's URL, HTTP+JSON below it. */
export function a2aRoutes(app: HttpServer, deps: A2aRoutesDeps): void {
  app.decorateRequest("a2aAccess", null);
  // A separate scope: bodies are parsed by the routes, because a malformed one is an error of the binding.
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
  const baseOf = createBaseUrl(deps.publicUrl);

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
        errors: ["team_not_found", "workflow_not_found", "rate_limited"],
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
      const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim());
      if (known?.includes(etag) === true) return reply.status(304).send(null);
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
      const { agentId } = request.params as { agentId: string };
      request.a2aAccess = await deps.access.authenticate(agentId, credentialsOf(request));
    },
    /** A request may stay open for as long as a task runs, so each counts as a stream of its agent. */
    async (request: FastifyRequest, reply: FastifyReply) => {
      const access = request.a2aAccess!;
      const endStream = deps.openStream(`a2a ${idOf(access.agent)}`, clientNetwork(request.ip));
      const unwatch = deps.access.watch(access, credentialsOf(request), () => reply.raw.destroy());
      const end = (): void => {
        unwatch();
        endStream();
      };
      reply.raw.once("close", end);
      if (reply.raw.closed) end();
    },
  ];
  const authenticated = (a2aBinding: Binding) => ({
    config: { auth: "public" as const, audit: PUBLIC_CALL, a2aBinding },
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
  const binding: BindingRoutes = { authenticated, described, handlerFor, contextOf, parsedBody };
  rpcRoutes(app, binding);
  restRoutes(app, binding);
}

/** `MALFORMED` when the body is not JSON. */
async function parsedBody(request: FastifyRequest): Promise<unknown> {
  if (!Buffer.isBuffer(request.body)) return request.method === "POST" ? undefined : {};
  try {
    return await parseAnyJsonBytes(request.body);
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

function agentIdOf(request: FastifyRequest): string {
  const { agentId } = request.params as { agentId: string };
  return isId("team", agentId) || isId("wf", agentId) ? agentId : "?";
}

function credentialsOf(request: FastifyRequest): A2aCredentials {
  return {
    secret: headerOf(request, "x-a2a-secret"),
    agentName: headerOf(request, "x-a2a-agent"),
    bearer: bearerOf(request),
    address: request.ip,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
