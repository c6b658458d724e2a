import { AppError } from "../lib/errors.ts";
import { addTraceHeaders } from "../telemetry/trace-context.ts";
import type { Span, Tracing } from "../telemetry/tracing.ts";
import type { GuardedInit, GuardedResponse } from "./guarded-fetch.ts";

/**
 * The same `fetch` with a span for every call within a trace, whose headers are sent along. The span names the host and
 * no path: paths of many services contain tokens, and no query, header or body.
 */
export function tracedFetch(
  tracing: Tracing,
  send: (url: string | URL, init: GuardedInit) => Promise<GuardedResponse>,
): (url: string | URL, init?: GuardedInit) => Promise<GuardedResponse> {
  return async (url, init = {}) => {
    const span = startSpan(tracing, String(url), init.method);
    if (span === undefined) return send(url, init);
    const headers = lowerCase(init.headers ?? {});
    if (tracing.propagates) addTraceHeaders(headers, span.context);
    try {
      const response = await send(url, { ...init, headers });
      endSpan(span, response.status);
      return response;
    } catch (error) {
      span.end(codeOf(error));
      throw error;
    }
  };
}

/** As `tracedFetch`; the span ends with the head of the response. */
export function tracedWebFetch(
  tracing: Tracing | undefined,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  if (tracing === undefined) return fetch;
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const span = startSpan(tracing, request?.url ?? String(input), init?.method ?? request?.method);
    if (span === undefined) return fetch(input, init);
    const headers = Object.fromEntries(new Headers(init?.headers ?? request?.headers));
    if (tracing.propagates) addTraceHeaders(headers, span.context);
    try {
      const response = await fetch(input, { ...init, headers });
      endSpan(span, response.status);
      return response;
    } catch (error) {
      span.end(codeOf(error));
      throw error;
    }
  };
}

/** Undefined outside a trace: background work has none. */
function startSpan(tracing: Tracing, address: string, given = "GET"): Span | undefined {
  if (tracing.active() === undefined || !URL.canParse(address)) return undefined;
  const { hostname, port, protocol } = new URL(address);
  const method = given.toUpperCase();
  return tracing.start(method, {
    kind: "client",
    attributes: {
      "http.request.method": method,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      "url.scheme": protocol.slice(0, -1),
    },
  });
}

function endSpan(span: Span, status: number): void {
  span.set({ "http.response.status_code": status });
  span.end(status >= 400 ? String(status) : undefined);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "fetch_failed";
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
