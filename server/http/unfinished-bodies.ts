import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { createHeldBytes } from "./held-bytes.ts";

export interface BodyLimits {
  networkBytes: number;
  totalBytes: number;
}

const MIB = 1024 * 1024;
/** A body of up to this declared size takes no more memory than its connection. */
const UNCOUNTED_BYTES = 16 * 1024;
const RETRY_AFTER_MS = 5000;

/** The largest body that a route accepts always fits. */
export function bodyLimitsFor(largestBodyBytes: number): BodyLimits {
  const networkBytes = Math.max(128 * MIB, largestBodyBytes + 16 * MIB);
  return { networkBytes, totalBytes: 2 * networkBytes };
}

interface Body {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  bytes: number;
  /** Undefined until the body is counted. */
  network: string | undefined;
}

/**
 * Limits bodies that have not fully arrived: each request keeps what it has of its body in memory, and a client may take
 * minutes to send the rest. A network beyond its share gets 429 for the body that exceeds it. When all networks together
 * hold too much, the oldest body of the one that holds the most gets 503, so that others are still served.
 */
export function createUnfinishedBodies(limits: BodyLimits) {
  const held = createHeldBytes<Body>();
  let received: Body[] = [];

  /** Most bodies are small, and cost nothing here; others that arrive at once are not counted. */
  function watch(request: FastifyRequest, reply: FastifyReply): void {
    const { "content-length": length = "0", "transfer-encoding": coding } = request.raw.headers;
    if (coding === undefined && Number(length) <= UNCOUNTED_BYTES) return;
    const body: Body = { request, reply, bytes: 0, network: undefined };
    countBytes(body);
    if (received.push(body) === 1) setImmediate(countUnfinished);
  }

  function countUnfinished(): void {
    const bodies = received;
    received = [];
    for (const body of bodies) {
      const { raw } = body.request;
      if (raw.complete || raw.destroyed || body.reply.sent) continue;
      // Reset by the client a moment ago: its address is no longer known, and reading it may throw.
      if (raw.socket.remoteAddress === undefined) continue;
      body.network = clientNetwork(body.request.ip);
      held.add(body.network, body, body.bytes);
      for (const event of ["end", "close"]) raw.once(event, () => remove(body));
      body.reply.raw.once("finish", () => remove(body));
      enforce(body, body.network);
    }
  }

  function countBytes(body: Body): void {
    const { raw, routeOptions } = body.request;
    const push = raw.push.bind(raw);
    // A parser keeps no more than the limit; files of forms are written to disk.
    const maxBytes = routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY;
    raw.push = (chunk: Buffer | null) => {
      const mayContinue = push(chunk);
      const added = Math.min(chunk?.length ?? 0, maxBytes - body.bytes);
      body.bytes += added;
      if (body.network !== undefined) {
        held.add(body.network, body, added);
        enforce(body, body.network);
      }
      return mayContinue;
    };
  }

  function enforce(body: Body, network: string): void {
    if (held.of(network) > limits.networkBytes) return refuse(body, tooMuchOfNetwork());
    while (held.total() > limits.totalBytes) {
      const oldest = held.oldestOfLargest();
      if (oldest === undefined) return;
      refuse(oldest, tooMuchInAll());
    }
  }

  function refuse(body: Body, error: AppError): void {
    const { request, reply } = body;
    const { raw } = request;
    remove(body);
    // It has arrived since it was counted.
    if (raw.complete) return;
    raw.push = () => true;
    if (reply.sent) return;
    reply.header("connection", "close");
    // A parser that reads the body drops what it has; before one does, the request is ended here.
    if (raw.listenerCount("error") > 0) raw.emit("error", error);
    else reply.send(error);
  }

  function remove(body: Body): void {
    if (body.network !== undefined) held.remove(body.network, body);
    body.network = undefined;
  }

  return { watch };
}

function tooMuchOfNetwork(): AppError {
  return new AppError(
    "rate_limited",
    "Too many request bodies from this address have not fully arrived. Finish sending them, then send this one again.",
    { retryAfterMs: RETRY_AFTER_MS },
  );
}

function tooMuchInAll(): AppError {
  return new AppError(
    "unavailable",
    "Too many request bodies have not fully arrived, and this one is among the oldest. Send it again over a faster connection.",
    { retryAfterMs: RETRY_AFTER_MS, retryable: true },
  );
}
