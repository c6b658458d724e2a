import type { Readable } from "node:stream";

/** A body that is read anew for every request: a redirect may have to send it again. */
export interface StreamedBody {
  bytes: number;
  open(): Promise<Readable>;
}

export interface OutboundRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | StreamedBody | undefined;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Headers that are sent to another origin. An allowlist: secrets have any name (`x-api-key`, `private-token`, …), so a
 * denylist would always be incomplete.
 */
const TRAVELLING_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-encoding",
  "content-language",
  "content-type",
  "idempotency-key",
  "user-agent",
]);

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/** The next request of a redirect. The caller checks `target` like any other URL. */
export function followRedirect(request: OutboundRequest, status: number, target: URL): OutboundRequest {
  const turnsIntoGet =
    (status === 303 && request.method !== "GET" && request.method !== "HEAD") ||
    ((status === 301 || status === 302) && request.method === "POST");
  // An origin is scheme, host and port: http on the same host is another origin than https.
  const isSameOrigin = target.origin === request.url.origin;
  const headers = Object.entries(request.headers).filter(
    ([name]) =>
      (isSameOrigin || TRAVELLING_HEADERS.has(name)) && !(turnsIntoGet && name.startsWith("content-")),
  );
  return {
    url: target,
    method: turnsIntoGet ? "GET" : request.method,
    headers: Object.fromEntries(headers),
    body: turnsIntoGet ? undefined : request.body,
  };
}
