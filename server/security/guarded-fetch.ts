import type { Readable } from "node:stream";
import { type Dispatcher, errors, request as send } from "undici";
import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { followRedirect, isRedirect, type OutboundRequest, type StreamedBody } from "./redirects.ts";
import { toAppError } from "./outbound-errors.ts";
import { ACCEPTED_ENCODINGS, decodedBody, isDecodable, readBody } from "./response-body.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;
const DISCARDED_BYTES = 16 * 1024;

/** Headers that frame or route the message cannot be set, as in every browser's fetch. */
const OWN_HEADERS = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The next connection of the pool may be closed, too. */
const MAX_RESENDS = 5;
const NOTHING = Buffer.alloc(0);
const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardedInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | StreamedBody;
  /** For the whole call: resolving, connecting, redirects and reading the body. */
  timeoutMs?: number;
  /** Of the body, after decompression. */
  maxBytes?: number;
  /** More redirects throw `too_many_redirects`. With 0 the redirect itself is the response. */
  maxRedirects?: number;
  signal?: AbortSignal;
  /**
   * Adds credentials to every request of the call, those of redirects included; throws for a target that must not get
   * them. It changes a copy: a redirect never carries the credentials along by itself.
   */
  authorize?: (request: { url: URL; headers: Record<string, string> }) => Promise<void>;
  /** Called before a redirect is followed. */
  onRedirect?: (status: number, to: URL) => void;
  /** Awaited before a body over a megabyte is read on. */
  onLargeBody?: (signal: AbortSignal) => Promise<void>;
  /** Receives the decompressed body of a 2xx response as it arrives; `body` of the response is then empty. No `maxBytes` counts. */
  saveBody?: (body: Readable, head: Omit<GuardedResponse, "body">) => Promise<void>;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** The URL of the response, after redirects. */
  url: string;
}

export async function guardedFetch(
  dispatcher: Dispatcher,
  url: string | URL,
  init: GuardedInit,
): Promise<GuardedResponse> {
  const request: OutboundRequest = {
    url: parseUrl(url),
    method: (init.method ?? "GET").toUpperCase(),
    headers: requestHeaders(init.headers ?? {}),
    body: init.body,
  };
  const timeoutMs = init.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = createDeadline(timeoutMs, {
    outer: init.signal,
    reason: () => timedOut(request.url, timeoutMs),
    outerReason: () => new AppError("aborted", "The request was cancelled."),
  });
  try {
    // Raced, because undici observes the signal only after connecting, and a hanging lookup must end too.
    return await deadline.race(followToEnd(dispatcher, request, init, deadline.signal));
  } finally {
    deadline.clear();
  }
}

async function followToEnd(
  dispatcher: Dispatcher,
  first: OutboundRequest,
  init: GuardedInit,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const maxRedirects = init.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  let request = first;
  try {
    for (let redirects = 0; ; redirects++) {
      signal.throwIfAborted();
      const response = await sendAgainIfStale(dispatcher, await authorized(request, init), signal);
      const location = headerText(response.headers.location);
      if (!isRedirect(response.statusCode) || !location || maxRedirects === 0) {
        return await readResponse(request, response, init, signal);
      }
      await response.body.dump({ limit: DISCARDED_BYTES, signal });
      if (redirects === maxRedirects) {
        throw new AppError("too_many_redirects", `Stopped after ${maxRedirects} redirects.`);
      }
      const to = parseUrl(location, request.url);
      init.onRedirect?.(response.statusCode, to);
      request = followRedirect(request, response.statusCode, to);
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : toAppError(error, request.url);
  }
}

async function authorized(request: OutboundRequest, { authorize }: GuardedInit): Promise<OutboundRequest> {
  if (authorize === undefined) return request;
  const copy = { ...request, url: new URL(request.url), headers: { ...request.headers } };
  await authorize(copy);
  return copy;
}

/**
 * A server may close a connection that it has kept open just when the next request is on its way. A request that only
 * reads is sent again, as RFC 9112 (9.3.1) allows; any other may have had its effect.
 */
async function sendAgainIfStale(
  ...[dispatcher, request, signal]: Parameters<typeof sendOnce>
): Promise<Dispatcher.ResponseData> {
  for (let resends = 0; ; resends += 1) {
    try {
      return await sendOnce(dispatcher, request, signal);
    } catch (error) {
      const mayResend = READING_METHODS.has(request.method) && resends < MAX_RESENDS;
      if (!mayResend || !closedAfterUse(error)) throw error;
    }
  }
}

/** The other side closed the connection before a response, after it had served other requests. */
function closedAfterUse(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}

async function sendOnce(
  dispatcher: Dispatcher,
  { url, method, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const streamed = typeof body === "object" && "open" in body ? body : undefined;
  return send(url, {
    dispatcher,
    method,
    // Storage services accept no upload of unknown length.
    headers: streamed ? { ...headers, "content-length": String(streamed.bytes) } : headers,
    body: streamed ? await streamed.open() : ((body as string | Uint8Array | undefined) ?? null),
    signal,
    // undici's own timeouts are off: only the time limit of the whole call counts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function readResponse(
  request: OutboundRequest,
  response: Dispatcher.ResponseData,
  { maxBytes = DEFAULT_MAX_BYTES, onLargeBody, saveBody }: GuardedInit,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const encoding = headerText(response.headers["content-encoding"]);
  const hasBody = request.method !== "HEAD" && response.statusCode !== 204 && response.statusCode !== 304;
  const headers = Object.entries(response.headers)
    // These headers describe the compressed bytes, not the returned ones.
    .filter(([name]) => !(isDecodable(encoding) && /^content-(encoding|length)$/.test(name)))
    .map(([name, value]): [string, string] => [name, headerText(value)]);
  const head = {
    status: response.statusCode,
    headers: Object.fromEntries(headers),
    url: request.url.href,
  };
  if (saveBody !== undefined && hasBody && response.statusCode >= 200 && response.statusCode <= 299) {
    await saveBody(decodedBody(response.body, encoding), head);
    return { ...head, body: NOTHING };
  }
  const body = await readBody(
    response.body,
    hasBody ? encoding : "",
    maxBytes,
    onLargeBody && (() => onLargeBody(signal)),
  );
  return { ...head, body };
}

function parseUrl(text: string | URL, base?: URL): URL {
  if (!URL.canParse(String(text), base?.href))
    throw invalidUrl("The URL is not complete. Give one with http:// or https://.");
  const url = new URL(String(text), base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidUrl(`The URL has the scheme "${url.protocol}". Only http and https are supported.`);
  // Rejected, not stripped: it either hides the real host (http://good.example@10.0.0.1/) or is a password that would
  // appear in logs and in the stored input.
  if (url.username || url.password)
    throw invalidUrl("The URL contains a user name or password. Send an Authorization header instead.");
  url.hash = "";
  return url;
}

function requestHeaders(given: Record<string, string>): Record<string, string> {
  const own = Object.entries(given)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !OWN_HEADERS.has(name));
  return { "accept-encoding": ACCEPTED_ENCODINGS, "user-agent": "baton", ...Object.fromEntries(own) };
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

function timedOut(url: URL, timeoutMs: number): AppError {
  return new AppError("request_timeout", `${url.host} did not respond within ${timeoutMs} ms.`, {
    retryable: true,
  });
}

function invalidUrl(message: string): AppError {
  return new AppError("invalid_url", message);
}
