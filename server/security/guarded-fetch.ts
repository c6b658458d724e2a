import { AsyncResource } from "node:async_hooks";
import type { Readable } from "node:stream";
import type { Dispatcher, errors } from "undici";
import type { AbortSource } from "../lib/abort-source.ts";
import { createDeadline, type Deadline, type DeadlineOptions } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { Exchange, type Received, type Reception, type ResponseHead } from "./exchange.ts";
import { followRedirect, isRedirect, type OutboundRequest, type StreamedBody } from "./redirects.ts";
import { isRefusedInterim, toAppError } from "./outbound-errors.ts";
import { encodingOf, headerText, requestHeaders, visibleHeaders } from "./outbound-headers.ts";
import { parseOutboundUrl } from "./outbound-url.ts";
import { becomesLarge, decodedBody, discardBody, isDecodable, readBody } from "./response-body.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;

/** The next connection of the pool may be closed, too. */
const MAX_RESENDS = 5;
const NOTHING = Buffer.alloc(0);
const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardedInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | StreamedBody | undefined;
  /** For the whole call: resolving, connecting, redirects and reading the body. */
  timeoutMs?: number;
  /** Limits the body, after decompression. */
  maxBytes?: number | undefined;
  /** More redirects throw `too_many_redirects`. With 0 the redirect itself is the response. */
  maxRedirects?: number;
  signal?: AbortSource | undefined;
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
  saveBody?: ((body: Readable, head: Omit<GuardedResponse, "body">) => Promise<void>) | undefined;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** The URL of the response, after redirects. */
  url: string;
}

export function guardedFetch(
  dispatcher: Dispatcher,
  url: string | URL,
  init: GuardedInit,
): Promise<GuardedResponse> {
  return new Promise((resolve, reject) => {
    const request: OutboundRequest = {
      url: parseOutboundUrl(url),
      method: (init.method ?? "GET").toUpperCase(),
      headers: requestHeaders(init.headers),
      body: init.body,
    };
    new GuardedCall(dispatcher, request, init, resolve, reject).start();
  });
}

/**
 * One call of `guardedFetch`: its requests, with redirects and resends, up to the response. An object with callbacks
 * allocates 4 kB less for a small response than a chain of async functions; only credentials, files, redirects and streamed
 * bodies use promises.
 */
class GuardedCall implements Reception, DeadlineOptions {
  /** Ends the call early. */
  readonly outer: AbortSource | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #init: GuardedInit;
  readonly #maxBytes: number;
  readonly #timeoutMs: number;
  /** The host that the caller named. */
  readonly #host: string;
  readonly #resolve: (response: GuardedResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #deadline: Deadline;
  /** Without credentials. */
  #request: OutboundRequest;
  /** The request as sent, with credentials. */
  #sent: OutboundRequest;
  #exchange: Exchange | undefined;
  /** undici calls back in the async context of the call that opened the connection: its trace would get spans of this one. */
  readonly #caller: AsyncResource | undefined;
  #redirects = 0;
  #resends = 0;

  constructor(
    dispatcher: Dispatcher,
    request: OutboundRequest,
    init: GuardedInit,
    resolve: (response: GuardedResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.outer = init.signal;
    this.#dispatcher = dispatcher;
    this.#init = init;
    this.#maxBytes = init.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#timeoutMs = init.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#host = request.url.host;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#sent = request;
    if (init.authorize !== undefined || init.saveBody !== undefined)
      this.#caller = new AsyncResource("GuardedCall");
    this.#deadline = createDeadline(this.#timeoutMs, this);
  }

  reason(): AppError {
    const message = `${this.#host} did not respond within ${Math.ceil(this.#timeoutMs)} ms.`;
    return new AppError("request_timeout", message, { retryable: true });
  }

  outerReason(): AppError {
    return new AppError("aborted", "The request was cancelled.");
  }

  start(): void {
    this.#deadline.onAbort(() => {
      // At once, because undici observes an abort only after connecting, and a hanging lookup must end too.
      this.#fail(this.#deadline.reason);
      this.#exchange?.abort(this.#deadline.reason as Error);
    });
    this.#begin();
  }

  #succeed(response: GuardedResponse): void {
    this.#deadline.clear();
    this.#resolve(response);
  }

  #fail(error: unknown): void {
    this.#deadline.clear();
    this.#reject(this.#deadline.aborted ? this.#deadline.reason : toAppError(error, this.#request.url));
  }

  #begin(): void {
    if (this.#deadline.aborted) this.#fail(this.#deadline.reason);
    else if (this.#init.authorize === undefined) this.#send(this.#request);
    else void this.#authorize(this.#init.authorize);
  }

  async #authorize(authorize: NonNullable<GuardedInit["authorize"]>): Promise<void> {
    const request = this.#request;
    try {
      const copy = { ...request, url: new URL(request.url), headers: { ...request.headers } };
      await authorize(copy);
      this.#send(copy);
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(request: OutboundRequest): void {
    this.#sent = request;
    const { body } = request;
    if (typeof body === "object" && "open" in body) void this.#sendStream(request, body);
    else this.#dispatch(request, request.headers, body ?? null);
  }

  async #sendStream(request: OutboundRequest, body: StreamedBody): Promise<void> {
    try {
      // Storage services accept no upload of unknown length.
      const headers = { ...request.headers, "content-length": String(body.bytes) };
      this.#dispatch(request, headers, await body.open());
    } catch (error) {
      this.failed(error);
    }
  }

  #dispatch(
    { url, method }: OutboundRequest,
    headers: OutboundRequest["headers"],
    body: string | Uint8Array | Readable | null,
  ): void {
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      // undici's own timeouts are off: only the time limit of the whole call counts.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#exchange = new Exchange(this.#dispatcher, options, this);
  }

  beforeSend(): void {
    // Credentials and files may have taken until after the end.
    if (this.#deadline.aborted) throw this.#deadline.reason;
    this.#init.beforeSend?.();
  }

  streams(head: ResponseHead): boolean {
    return (
      isRedirect(head.status) ||
      (hasBody(this.#request.method, head.status) &&
        (this.#init.saveBody !== undefined || isDecodable(encodingOf(head))))
    );
  }

  onGrowth(size: number, grownBy: number): Promise<void> | undefined {
    if (!becomesLarge(size, grownBy, this.#maxBytes)) return undefined;
    return this.#init.onLargeBody?.(this.#deadline.signal);
  }

  received(response: Received): void {
    if (this.#caller === undefined) this.#receive(response);
    else this.#caller.runInAsyncScope(() => this.#receive(response));
  }

  #receive(response: Received): void {
    const { status, body } = response;
    const location = isRedirect(status) ? headerText(response.headers["location"]) : "";
    if (location !== "" && this.#init.maxRedirects !== 0) void this.#follow(response, location);
    else if (Buffer.isBuffer(body)) {
      this.#succeed({ status, headers: visibleHeaders(response), url: this.#request.url.href, body });
    } else void this.#readStream(response, body);
  }

  /**
   * A server may close a connection that it has kept open just when the next request is on its way. A request that only
   * reads is sent again, as RFC 9112 (9.3.1) allows; any other may have had its effect.
   */
  failed(error: unknown): void {
    const mayResend =
      READING_METHODS.has(this.#request.method) && this.#resends < MAX_RESENDS && closedAfterUse(error);
    if (!mayResend) return this.#fail(error);
    this.#resends += 1;
    // Once undici is done with the closed connection.
    queueMicrotask(() => this.#send(this.#sent));
  }

  async #follow({ status, body }: Received, location: string): Promise<void> {
    try {
      await discardBody(body);
      const maxRedirects = this.#init.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
      if (this.#redirects === maxRedirects)
        throw new AppError("too_many_redirects", `Stopped after ${maxRedirects} redirects.`);
      const to = parseOutboundUrl(location, this.#request.url);
      this.#init.onRedirect?.(status, to);
      this.#request = followRedirect(this.#request, status, to);
      this.#redirects += 1;
      this.#resends = 0;
      this.#begin();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #readStream(response: Received, stream: Readable): Promise<void> {
    const { saveBody } = this.#init;
    const { status } = response;
    try {
      const encoding = hasBody(this.#request.method, status) ? encodingOf(response) : "";
      const head = { status, headers: visibleHeaders(response), url: this.#request.url.href };
      if (saveBody === undefined || status < 200 || status > 299) {
        const body = await readBody(stream, encoding, (size, grownBy) => this.onGrowth(size, grownBy));
        return this.#succeed({ ...head, body });
      }
      await saveBody(decodedBody(stream, encoding), head);
      this.#succeed({ ...head, body: NOTHING });
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** The other side closed the connection before a response, after it had served other requests. */
function closedAfterUse(error: unknown): boolean {
  const { code, socket } = (error ?? {}) as Partial<errors.SocketError>;
  return code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0 && !isRefusedInterim(error);
}

function hasBody(method: string, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}
