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
import { AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { JSON_MEDIA_TYPE } from "../lib/json-media-type.ts";
import { type Logger, loggableUrl } from "../log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { hostNotAllowed, type IsAllowedHost } from "./allowed-hosts.ts";
import { toTrustAddress, type TrustProxy } from "./client-address.ts";
import { errorBody, sendError } from "./errors.ts";
import { sentMethod, routeHeadAsGet } from "./head-requests.ts";
import { isLargeBody, parseJsonBytes, parseLargeJsonBytes } from "./json-body.ts";
import { mergeChunks } from "./merge-chunks.ts";
import { type MethodsOf, recordRouteMethods } from "./route-methods.ts";
import { toValidationMessage } from "./validation-messages.ts";
import { traceRequests } from "./traced-requests.ts";
import { securityHeaders } from "./security-headers.ts";
import { type BodyLimits, bodyLimitsFor, createUnfinishedBodies } from "./unfinished-bodies.ts";
import { createUnreadResponses } from "./unread-responses.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Names its response in the list of those that may be unread; 0 when it is not in it. */
    unreadNumber: number;
  }
  interface FastifyContextConfig {
    /** Served under every name: probes call a process by its address, which the settings need not know. */
    anyHost?: true;
  }
}

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
  tracing?: Tracing | undefined;
  isAllowedHost: IsAllowedHost;
  trustProxy: TrustProxy;
  corsOrigins: readonly string[];
  jsonBodyBytes: number;
  /** The largest body that a route accepts in memory. */
  largestBodyBytes?: number;
  stopGraceMs: number;
  /** In tests: another limit of `createUnreadResponses`. */
  unread?: { maxBytes: number; everyMs: number };
  /** In tests: other limits of `createUnfinishedBodies`. */
  unfinished?: BodyLimits;
  /** In tests: another time than `REFUSED_BODY_MS`. */
  refusedBodyMs?: number;
}

/** Time for open requests after the grace period of steps; a request that never completes would block the stop for minutes. */
const LAST_RESPONSES_MS = 2000;
/** How long a client may continue to send a body after the response, which it may read only then. */
const REFUSED_BODY_MS = 30_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Without a login a refused body could be sent for five minutes, at the cost of a third of a core. */
function endLater(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => request.destroy(), ms).unref();
  request.once("close", () => clearTimeout(timer));
}

/** Fastify with the rules of every route: error shape, request ids, headers, body parser, access log. */
export function createHttpServer({
  logger,
  metrics,
  tracing,
  isAllowedHost,
  trustProxy,
  corsOrigins,
  jsonBodyBytes,
  largestBodyBytes = jsonBodyBytes,
  stopGraceMs,
  unread: unreadLimits,
  unfinished = bodyLimitsFor(largestBodyBytes),
  refusedBodyMs = REFUSED_BODY_MS,
}: HttpServerOptions): HttpServer {
  const app: HttpServer = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // The onResponse hook logs one line per request; Fastify would log two.
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger per request: the few lines that need the request id add it themselves.
    childLoggerFactory: (parent) => parent as FastifyBaseLogger,
    trustProxy: trustProxy === false ? false : toTrustAddress(trustProxy),
    bodyLimit: jsonBodyBytes,
    // Node's response to a missing Host header has no body; the onRequest hook sends the contract's error.
    http: { requireHostHeader: false },
    requestTimeout: 300_000,
    // Ids are short; a longer path segment gets the same 404 as any unknown id.
    routerOptions: { maxParamLength: 500 },
    exposeHeadRoutes: false,
    // Each route would start and stop a timer.
    pluginTimeout: 0,
    rewriteUrl: (request) => {
      routeHeadAsGet(request);
      return request.url ?? "/";
    },
    forceCloseConnections: "idle",
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : createId("req");
    },
    // A URL that the router cannot parse reaches no hook, so the common headers are set here too.
    frameworkErrors: (error, request, reply) => void sendError(error, request, setHeaders(request, reply)),
    clientErrorHandler: respondToMalformedRequest,
    // Fastify types these for JSON Schema. Without them it loads its compilers, which nothing here uses: 100 ms of a start.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
  }).withTypeProvider<ZodTypeProvider>();

  z.config({ customError: toValidationMessage });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_MEDIA_TYPE, { parseAs: "buffer" }, (_request, body, done) => {
    const bytes = body as Buffer;
    if (isLargeBody(bytes))
      return void parseLargeJsonBytes(bytes).then(
        (value) => done(null, value),
        (error: unknown) => done(error as Error),
      );
    try {
      done(null, parseJsonBytes(bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  const methodsOf = recordRouteMethods(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    reply.status(404).send(errorBody("not_found", noRouteMatches(request, methodsOf))),
  );
  // Node's response to an unknown Expect header has no body; RFC 9110 allows ignoring the header.
  app.server.on(
    "checkExpectation",
    (request, response) => void app.server.emit("request", request, response),
  );
  const unread = createUnreadResponses(
    (count) => logger.warn({ count }, "ended responses that clients did not read"),
    unreadLimits,
  );
  app.decorateRequest("unreadNumber", 0);
  const bodies = createUnfinishedBodies(unfinished);
  app.addHook("onRequest", (request, reply, done) => {
    mergeChunks(request.raw, request.routeOptions.config.maxChunkedBytes);
    setHeaders(request, reply);
    // `curl -d ''` sends a form content type with an empty body: ignore the type.
    if (request.headers["content-length"] === "0") delete request.raw.headers["content-type"];
    // The client has reset the connection: the request has no address to limit by, and nobody reads its response.
    if (request.raw.socket.remoteAddress === undefined)
      return done(new AppError("invalid_request", "The client closed the connection."));
    request.unreadNumber = unread.add(reply.raw, request);
    if (!hasHost(request)) return done(missingHost());
    const { config } = request.routeOptions;
    if (config.refusesHead && sentMethod(request) === "HEAD")
      return done(new AppError("not_found", noRouteMatches(request, methodsOf)));
    bodies.watch(request, reply);
    const isServed = config.anyHost === true || isAllowedHost(request.headers.host);
    done(isServed ? undefined : hostNotAllowed());
  });
  const traceIdOf = tracing === undefined ? undefined : traceRequests(app, tracing);
  // These fields contain no secrets: redaction of the access log took 3 % of the time of a call.
  const accessLog = logger.child({}, { redact: [] });
  app.addHook("onResponse", (request, reply, done) => {
    unread.remove(request.unreadNumber);
    if (!request.raw.complete) endLater(request.raw, refusedBodyMs);
    metrics.observeRequest(
      sentMethod(request),
      request.routeOptions.url ?? "unknown",
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    accessLog.info(
      {
        requestId: request.id,
        method: sentMethod(request),
        url: loggableUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        traceId: traceIdOf?.(request),
      },
      "request",
    );
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  // Without this, a keep-alive connection with a response sent during the stop would delay the exit until its timeout.
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    unread.stop();
    done();
  });
  app.addHook("preClose", (done) => {
    setTimeout(() => app.server.closeAllConnections(), stopGraceMs + LAST_RESPONSES_MS).unref();
    done();
  });
  if (corsOrigins.length > 0) {
    void app.register(cors, {
      origin: [...corsOrigins],
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      // Otherwise an OPTIONS request that is not a preflight gets a plain text response.
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

function noRouteMatches(request: FastifyRequest, methodsOf: MethodsOf): string {
  const methods = methodsOf(request.url.split("?")[0]!);
  const hint = methods.length > 0 ? `Send ${methods.join(" or ")}.` : "GET /api/docs lists all routes.";
  return `No route matches ${sentMethod(request)} ${loggableUrl(request.url)}. ${slashHint(request.url)}${hint}`;
}

/** A client that fills an empty id into a path sends such a URL. */
function slashHint(url: string): string {
  const path = url.split("?")[0]!;
  return path.length > 1 && path.endsWith("/")
    ? "The path ends with a slash: remove it, or add the id that is missing. "
    : "";
}

function hasHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host !== undefined || raw.httpVersion === "1.0";
}

function missingHost(): AppError {
  return invalidRequest("The Host header is missing. HTTP/1.1 requires it.", [
    { path: "headers.host", message: "is missing" },
  ]);
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(securityHeaders).header("x-request-id", request.id);
}

const MALFORMED = {
  400: "The request could not be parsed.",
  408: "The request did not arrive in time. Send it again over a faster connection.",
  431: "The URL and the headers of the request are larger than 16 KB. Send large values in the body.",
};

/** Sends the contract's error for bytes that are not HTTP, if the socket is still writable. */
function respondToMalformedRequest(
  error: NodeJS.ErrnoException & { rawPacket?: unknown },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return;
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify(errorBody("invalid_request", MALFORMED[status]));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${createId("req")}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${isHead(error.rawPacket) ? "" : body}`,
  );
}

/** The response to HEAD has no body: a client would take it for a second response. */
function isHead(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && packet.subarray(0, 5).toString("latin1") === "HEAD ";
}
