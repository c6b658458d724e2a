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
import * as z from "zod";
import { type AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { type Logger, loggableUrl } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { errorBody, sendError } from "./errors.ts";
import { JSON_MEDIA_TYPE, parseJsonBytes } from "./json-body.ts";
import { inPlainWords } from "./plain-words.ts";
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
  stopGraceMs: number;
}

/** Beyond the steps under way, so long a stop waits for requests; one that is never sent to its end would hold it up for minutes. */
const LAST_ANSWERS_MS = 2000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Fastify with everything that holds for every route: error shape, ids, headers, parsers, log line. */
export function createHttpServer({
  logger,
  metrics,
  trustProxy,
  corsOrigins,
  jsonBodyBytes,
  stopGraceMs,
}: HttpServerOptions): HttpServer {
  const app: HttpServer = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line for each request, written when it is answered; Fastify's own two would only add the address.
    logController: new LogController({ disableRequestLogging: true }),
    // Nearly no request logs anything else: whoever does names the request, and none needs a logger of its own.
    childLoggerFactory: (parent) => parent as FastifyBaseLogger,
    // A number means that many proxies stand in front; addresses further out are the caller's own claim.
    trustProxy:
      typeof trustProxy === "number" ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    bodyLimit: jsonBodyBytes,
    // Node's own answer to a request without a Host has no body; ours is given in the first hook.
    http: { requireHostHeader: false },
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

  z.config({ customError: inPlainWords });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_MEDIA_TYPE, { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJsonBytes(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    reply
      .status(404)
      .send(errorBody("not_found", `There is nothing at ${request.method} ${loggableUrl(request.url)}.`)),
  );
  // Node's own answer to an expectation that it does not know has no body; RFC 9110 lets us overlook it.
  app.server.on(
    "checkExpectation",
    (request, response) => void app.server.emit("request", request, response),
  );
  app.addHook("onRequest", (request, reply, done) => {
    withHeaders(request, reply);
    // `curl -d ''` calls nothing at all a form: what is empty has no type.
    if (request.headers["content-length"] === "0") delete request.raw.headers["content-type"];
    done(hasHost(request) ? undefined : missingHost());
  });
  // Its fields are these few and none is a secret: looking for some in every line was 3 % of a call.
  const accessLog = logger.child({}, { redact: [] });
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observeRequest(
      request.method,
      request.routeOptions.url ?? "unknown",
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    accessLog.info(
      {
        requestId: request.id,
        method: request.method,
        url: loggableUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  // Else a connection that gets its last answer while we stop would keep the process for as long as its keep-alive.
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.addHook("preClose", (done) => {
    setTimeout(() => app.server.closeAllConnections(), stopGraceMs + LAST_ANSWERS_MS).unref();
    done();
  });
  if (corsOrigins.length > 0) {
    void app.register(cors, {
      origin: [...corsOrigins],
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      // Else an OPTIONS that is no preflight is answered with plain text.
      strictPreflight: false,
      exposedHeaders: [
        "x-request-id",
        "Retry-After",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
      ],
    });
  }
  return app;
}

function hasHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host !== undefined || raw.httpVersion === "1.0";
}

function missingHost(): AppError {
  return invalidRequest("An HTTP/1.1 request needs a Host header.", [
    { path: "headers.host", message: "is missing" },
  ]);
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
