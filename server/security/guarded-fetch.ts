import type { Readable } from "node:stream";
import type { Dispatcher, errors } from "undici";
import type { AbortSource } from "../lib/abort-source.ts";
import { createDeadline, type Deadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { Exchange, type Received, type ResponseHead } from "./exchange.ts";
import { followRedirect, isRedirect, type OutboundRequest, type StreamedBody } from "./redirects.ts";
import { isRefusedInterim, toAppError } from "./outbound-errors.ts";
import {
  ACCEPTED_ENCODINGS,
  decodedBody,
  discardBody,
  isDecodable,
  limitGrowth,
  readBody,
} from "./response-body.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;

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
  /** Limits the body, after decompression. */
  maxBytes?: number;
  /** More redirects throw `too_many_redirects`. With 0 the redirect itself is the response. */
  maxRedirects?: number;
  signal?: AbortSource;
  /**
   * Adds credentials to every request of the call, those of redirects included; throws for a target that must not get
   * them. It changes a copy: a redirect never carries the credentials along by itself.
   */
  authorize?: (request: { url: URL; headers: Record<string, string> }) => Promise<void>;
  /** Called when the connection is open, right before each request is written to it; it is not sent when this throws. */
  beforeSend?: (() => void) | undefined;
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
    return await deadline.race(followToEnd(dispatcher, request, init, deadline));
  } finally {
    deadline.clear();
  }
}

async function followToEnd(
  dispatcher: Dispatcher,
  first: OutboundRequest,
  init: GuardedInit,
  deadline: Deadline,
): Promise<GuardedResponse> {
  const maxRedirects = init.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  let request = first;
  try {
    for (let redirects = 0; ; redirects++) {
      if (deadline.aborted) throw deadline.reason;
      const response = await sendAgainIfStale(dispatcher, await authorized(request, init), init, deadline);
      const location = headerText(response.headers["location"]);
      if (!isRedirect(response.status) || !location || maxRedirects === 0) {
        return await readResponse(request, response, init, deadline);
      }
      await discardBody(response.body);
      if (redirects === maxRedirects) {
        throw new AppError("too_many_redirects", `Stopped after ${maxRedirects} redirects.`);
      }
      const to = parseUrl(location, request.url);
      init.onRedirect?.(response.status, to);
      request = followRedirect(request, response.status, to);
    }
  } catch (error) {
    throw deadline.aborted ? deadline.reason : toAppError(error, request.url);
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
  dispatcher: Dispatcher,
  request: OutboundRequest,
  init: GuardedInit,
  deadline: Deadline,
): Promise<Received> {
  for (let resends = 0; ; resends += 1) {
    try {
      return await sendOnce(dispatcher, request, init, deadline);
    } catch (error) {
      const mayResend = READING_METHODS.has(request.method) && resends < MAX_RESENDS;
      if (!mayResend || !closedAfterUse(error)) throw error;
    }
  }
}

/** The other side closed the connection before a response, after it had served other requests. */
function closedAfterUse(error: unknown): boolean {
  const { code, socket } = error as Partial<errors.SocketError>;
  return code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0 && !isRefusedInterim(error);
}

async function sendOnce(
  dispatcher: Dispatcher,
  { url, method, headers, body }: OutboundRequest,
  { maxBytes = DEFAULT_MAX_BYTES, beforeSend, onLargeBody, saveBody }: GuardedInit,
  deadline: Deadline,
): Promise<Received> {
  const streamed = typeof body === "object" && "open" in body ? body : undefined;
  const exchange = new Exchange(
    dispatcher,
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      // Storage services accept no upload of unknown length.
      headers: streamed ? { ...headers, "content-length": String(streamed.bytes) } : headers,
      body: streamed ? await streamed.open() : ((body as string | Uint8Array | undefined) ?? null),
      // undici's own timeouts are off: only the time limit of the whole call counts.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      beforeSend: () => {
        // Credentials and files may have taken until after the end.
        if (deadline.aborted) throw deadline.reason;
        beforeSend?.();
      },
      streams: (head) =>
        isRedirect(head.status) ||
        (hasBody(method, head.status) && (saveBody !== undefined || isDecodable(encodingOf(head)))),
      onGrowth: limitGrowth(maxBytes, onLargeBody && (() => onLargeBody(deadline.signal))),
    },
  );
  deadline.onAbort(() => exchange.abort(deadline.reason as Error));
  return exchange.received;
}

async function readResponse(
  { url, method }: OutboundRequest,
  response: Received,
  { maxBytes = DEFAULT_MAX_BYTES, onLargeBody, saveBody }: GuardedInit,
  deadline: Deadline,
): Promise<GuardedResponse> {
  const { status } = response;
  const encoding = hasBody(method, status) ? encodingOf(response) : "";
  const headers = visibleHeaders(response);
  if (Buffer.isBuffer(response.body)) return { status, headers, url: url.href, body: response.body };
  const head = { status, headers, url: url.href };
  if (saveBody !== undefined && status >= 200 && status <= 299) {
    await saveBody(decodedBody(response.body, encoding), head);
    return { ...head, body: NOTHING };
  }
  const limit = limitGrowth(maxBytes, onLargeBody && (() => onLargeBody(deadline.signal)));
  return { ...head, body: await readBody(response.body, encoding, limit) };
}

function hasBody(method: string, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

function encodingOf({ headers }: ResponseHead): string {
  return headerText(headers["content-encoding"]);
}

function visibleHeaders(head: ResponseHead): Record<string, string> {
  const isDecoded = isDecodable(encodingOf(head));
  const headers: Record<string, string> = {};
  for (const name of Object.keys(head.headers)) {
    // These headers describe the compressed bytes, not the returned ones.
    if (isDecoded && (name === "content-encoding" || name === "content-length")) continue;
    headers[name] = headerText(head.headers[name]);
  }
  return headers;
}

/** `base` is the URL that redirects to this one. */
function parseUrl(text: string | URL, base?: URL): URL {
  const url = parsedUrl(text, base);
  const what = base === undefined ? "The URL" : `The Location header in the redirect of ${base.host}`;
  if (url === undefined)
    throw invalidUrl(
      base === undefined
        ? "The URL is not complete. Give one with http:// or https://."
        : `${what} is not a valid URL.`,
    );
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidUrl(`${what} has the scheme "${url.protocol}". Only http and https are supported.`);
  // Rejected, not stripped: it either hides the real host (http://good.example@10.0.0.1/) or is a password that would
  // appear in logs and in the stored input.
  if (url.username || url.password)
    throw invalidUrl(
      `${what} contains a user name or password. ${base === undefined ? "Send an Authorization header instead." : "Such a redirect is not followed."}`,
    );
  if (url.hash === "") return url;
  const requested = new URL(url);
  requested.hash = "";
  return requested;
}

function parsedUrl(text: string | URL, base: URL | undefined): URL | undefined {
  if (text instanceof URL) return text;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function requestHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { "accept-encoding": ACCEPTED_ENCODINGS, "user-agent": "baton" };
  for (const name of Object.keys(given)) {
    const key = name.toLowerCase();
    if (!OWN_HEADERS.has(key)) headers[key] = given[name]!;
  }
  return headers;
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

function timedOut(url: URL, timeoutMs: number): AppError {
  return new AppError("request_timeout", `${url.host} did not respond within ${Math.ceil(timeoutMs)} ms.`, {
    retryable: true,
  });
}

function invalidUrl(message: string): AppError {
  return new AppError("invalid_url", message);
}
