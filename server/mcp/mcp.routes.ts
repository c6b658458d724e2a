import { errorSchema } from "../../contract/api.ts";
import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { BearerAccess } from "../accounts/bearer-access.ts";
import { anyOrigin, answerPreflights } from "../http/any-origin.ts";
import { bearerOf } from "../http/auth.ts";
import { sendError } from "../http/errors.ts";
import { limitRate } from "../http/rate-limit.ts";
import { sendResult } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import { createBaseUrl } from "../oauth/base-url.ts";
import { bearerChallenge } from "../oauth/challenge.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { Caller } from "./call.ts";
import { createReplies } from "./mcp-reply.ts";
import { errorResponse, RPC } from "./protocol.ts";
import type { Receive } from "./receive.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The program that an MCP request comes from. */
    mcpCaller: Caller | null;
  }
}

export interface McpRoutesDeps {
  access: Pick<BearerAccess, "authenticate" | "watch">;
  limiter: RateLimiter;
  openStream: Limits["openStream"];
  receive: Receive;
  /** Whether a page of this origin may call: a page elsewhere must not use a server on the user's machine. */
  isAllowedOrigin(origin: string): boolean;
  /** The public URL of the service; without it, the address of the request is used. */
  publicUrl: string | undefined;
}

const PATH = "/mcp";
/** Of a message that cannot be answered; what is refused before it is read has the shape of every route. */
const rpcErrorSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** MCP over streamable HTTP. Every request is complete in itself: any process can answer it. */
export function mcpRoutes(app: HttpServer, deps: McpRoutesDeps): void {
  app.decorateRequest("mcpCaller", null);
  const closing = new AbortController();
  app.addHook("preClose", (done) => {
    closing.abort();
    done();
  });
  const openReply = createReplies(closing.signal);
  const baseUrlOf = createBaseUrl(deps.publicUrl);

  const onRequest = [
    anyOrigin.onRequest,
    limitRate(deps.limiter, (request) => `${request.ip} mcp`),
    async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
      if (origin !== undefined && !deps.isAllowedOrigin(origin))
        throw new AppError(
          "forbidden",
          "Pages of this origin may not call the MCP server. The operator can add it to CORS_ORIGINS.",
        );
    },
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      try {
        request.mcpCaller = await deps.access.authenticate(bearerOf(request), "mcp", request.ip);
      } catch (error) {
        if (error instanceof AppError)
          void reply.header("www-authenticate", bearerChallenge(baseUrlOf(request), error.code));
        throw error;
      }
    },
  ];
  /** A body that is not JSON is a JSON-RPC error; what is refused before it has the error shape of every route. */
  function errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!(error instanceof AppError) || error.code !== "invalid_json") sendError(error, request, reply);
    else
      void sendResult(reply, errorResponse(undefined, { code: RPC.parseError, message: error.message }), {
        status: 400,
      });
  }

  app.post(
    PATH,
    {
      config: { ...anyOrigin.config, auth: "public", audit: PUBLIC_CALL },
      onRequest,
      errorHandler,
      schema: {
        operationId: "callMcp",
        tags: ["mcp"],
        summary: "MCP server over streamable HTTP",
        description:
          "One JSON-RPC message of the Model Context Protocol, versions 2026-07-28, 2025-11-25 and 2025-06-18. The answer is JSON, or an event stream when the request has a progress token or the run asks for an approval. Needs an API key or access token with the scope `mcp`.",
        security: anyOf("accessToken"),
        errors: ["rate_limited", "limit_reached"],
        bodyExample: { jsonrpc: "2.0", id: 1, method: "tools/list" },
        responseExample: { jsonrpc: "2.0", id: 1, result: { tools: [] } },
        body: z.unknown(),
        produces: ["application/json", "text/event-stream"],
        response: { 200: z.looseObject({}), "4xx": errorSchema.or(rpcErrorSchema) },
      },
    },
    async (request, reply) => {
      const caller = request.mcpCaller!;
      // A request may stay open for as long as its run, so each counts as a stream of its owner.
      const endStream = deps.openStream(caller.ownerId, clientNetwork(request.ip));
      const channel = openReply(request as FastifyRequest, reply as unknown as FastifyReply);
      const presented = {
        rawToken: bearerOf(request as FastifyRequest),
        scope: "mcp" as const,
        address: request.ip,
      };
      const unwatch = deps.access.watch(caller, presented, () => reply.raw.destroy());
      try {
        const { status, headers, body } = await deps.receive({
          caller,
          channel,
          headers: request.headers,
          body: request.body,
          baseUrl: baseUrlOf(request as FastifyRequest),
        });
        if (channel.hasBegun) await channel.end(body);
        else if (body === undefined)
          await (reply as unknown as FastifyReply).headers(headers).status(status).send();
        else await sendResult(reply.headers(headers) as unknown as FastifyReply, body, { status });
      } finally {
        unwatch();
        endStream();
      }
      return reply as never;
    },
  );

  answerPreflights(app, PATH, ["POST"]);
  // There is no stream without a request, and a session has nothing to delete.
  for (const method of ["GET", "DELETE"] as const)
    app.route({
      method,
      url: PATH,
      config: { ...anyOrigin.config, auth: "public", audit: PUBLIC_CALL },
      onRequest,
      schema: { hide: true },
      handler: (_request, reply) =>
        sendResult(
          reply.header("allow", "POST") as unknown as FastifyReply,
          errorResponse(undefined, {
            code: RPC.invalidRequest,
            message: `Use POST: ${method} is not supported.`,
          }),
          { status: 405 },
        ),
    });
}
