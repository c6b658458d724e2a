import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import cors from "@fastify/cors";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "@fastify/type-provider-zod";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from "fastify";
import { createId } from "../lib/ids.ts";
import { type Logger, loggableUrl } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { errorBody, sendError } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import { securityHeaders } from "./security-headers.ts";

export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface HttpServerOptions {
  logger: Logger;
  metrics: Metrics;
  trustProxy: boolean | number | string[];
  corsOrigins: readonly string[];
  jsonBodyBytes: number;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Fastify with everything that holds for every route: error shape, ids, headers, parsers, log line. */
export function createHttpServer({
  logger,
  metrics,
  trustProxy,
  corsOrigins,
  jsonBodyBytes,
}: HttpServerOptions): HttpServer {
  const app: HttpServer = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line for each request, written when it is answered; Fastify's own two would only add the address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    // A number means that many proxies stand in front; addresses further out are the caller's own claim.
    trustProxy:
      typeof trustProxy === "number" ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    bodyLimit: jsonBodyBytes,
    requestTimeout: 300_000,
    // Ids are short; a longer segment is an unknown thing, not a different error.
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: "idle",
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : createId("req");
    },
    // What the router cannot read reaches no hook, so the headers of every answer are set here as well.
    frameworkErrors: (error, request, reply) => void sendError(error, request, withHeaders(request, reply)),
    clientErrorHandler: answerUnreadable,
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json/,
    { parseAs: "string" },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(body as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    reply
      .status(404)
      .send(errorBody("not_found", `There is nothing at ${request.method} ${loggableUrl(request.url)}.`)),
  );
  app.addHook("onRequest", (request, reply, done) => {
    withHeaders(request, reply);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observeRequest(
      request.method,
      request.routeOptions.url ?? "unknown",
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    request.log.info(
      {
        method: request.method,
        url: loggableUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
    done();
  });
  if (corsOrigins.length > 0) {
    void app.register(cors, { origin: [...corsOrigins], exposedHeaders: ["x-request-id", "Retry-After"] });
  }
  return app;
}

function withHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(securityHeaders).header("x-request-id", request.id);
}

/** Bytes that are no HTTP at all still get the contract's error, if the socket takes it. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify(errorBody("invalid_request", "The request could not be read."));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${createId("req")}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
