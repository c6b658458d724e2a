import type { FastifyInstance, FastifyRequest } from "fastify";
import { readTraceContext } from "../telemetry/trace-context.ts";
import type { Span, Tracing } from "../telemetry/tracing.ts";
import { sentMethod } from "./head-requests.ts";

/** Probes, which come every few seconds. */
const UNTRACED = new Set(["/health", "/ready", "/metrics"]);

/**
 * A span for every request of the API. It has the route and no path: paths contain the tokens of links. Returns the trace
 * id of a request, for its line in the log.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
): (request: FastifyRequest) => string | undefined {
  const spans = new WeakMap<object, Span>();

  app.addHook("onRequest", (request, _reply, done) => {
    const { url: route, schema } = request.routeOptions;
    // The files of the page are hidden routes.
    const isHidden = (schema as { hide?: boolean } | undefined)?.hide === true;
    if (route === undefined || UNTRACED.has(route) || isHidden) return done();
    const { traceparent, tracestate } = request.headers;
    const span = tracing.start(`${sentMethod(request)} ${route}`, {
      kind: "server",
      parent: tracing.propagates ? (readTraceContext(traceparent, tracestate) ?? null) : null,
      attributes: {
        "http.request.method": sentMethod(request),
        "http.route": route,
        "url.scheme": request.protocol,
        "baton.request.id": request.id,
      },
    });
    spans.set(request, span);
    tracing.run(span.context, done);
  });
  // The body arrives in the context of its socket.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else tracing.run(span.context, done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    done();
  });
  return (request) => spans.get(request)?.context.traceId;
}
