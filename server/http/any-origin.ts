import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpServer } from "./server.ts";

/**
 * Options of a route that programs in any web page may call. They authenticate with a token that their script holds,
 * never with a cookie, so a foreign page gains nothing that a program without a browser would not have.
 */
export const anyOrigin = {
  config: { cors: false as const },
  onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    void reply.headers({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "WWW-Authenticate, Retry-After, Mcp-Session-Id",
    });
    done();
  },
};

/** Answers the preflight requests of browsers for this path. */
export function answerPreflights(
  app: Pick<HttpServer, "options">,
  url: string,
  methods: readonly string[],
): void {
  app.options(
    url,
    {
      config: { ...anyOrigin.config, auth: "public" },
      schema: { hide: true },
      onRequest: anyOrigin.onRequest,
    },
    (request, reply) =>
      reply
        .headers({
          "access-control-allow-methods": methods.join(", "),
          // No credentials are involved, so any header that the caller names is allowed.
          "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
          "access-control-max-age": 600,
          vary: "Access-Control-Request-Headers",
        })
        .status(204)
        .send(),
  );
}
