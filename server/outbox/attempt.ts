import type { Clock } from "../lib/clock.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import type { Egress } from "../security/egress.ts";
import type { GuardedResponse } from "../security/guarded-fetch.ts";
import { signatureHeaders } from "../security/standard-webhooks.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "./backoff.ts";
import type { AttemptOutcome, OutboxDelivery } from "./outbox-delivery.sql.ts";

/** Where a message goes, read before each attempt: a new address or secret applies to the next one. */
export interface Receiver {
  url: string;
  /** Signing secrets (`whsec_…`), the newest first. Without one the message is not signed. */
  secrets: readonly string[];
  /** In addition to the signature: credentials that the receiver asked for. */
  headers?: Readonly<Record<string, string>>;
}

export interface AttemptDeps {
  egress: Pick<Egress, "fetch">;
  clock: Clock;
  /** Undefined when the receiver was deleted or is switched off. */
  findReceiver(delivery: OutboxDelivery): Promise<Receiver | undefined>;
  /** The receiver has responded 410 Gone: it wants no more messages. */
  disableReceiver(delivery: OutboxDelivery): Promise<void>;
  random?: () => number;
}

export type Attempt = (delivery: OutboxDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;
const EXCERPT_LENGTH = 1000;
const GONE = 410;
/** NUL, and half a surrogate pair at the end of the excerpt. */
const NOT_STORABLE = /[\0\p{Cs}]/gu;

/** Sends a message once and decides what follows: delivered, another attempt later, or failed. */
export function createAttempt({
  egress,
  clock,
  findReceiver,
  disableReceiver,
  random = Math.random,
}: AttemptDeps): Attempt {
  async function send(
    { id, contentType, body }: OutboxDelivery,
    { url, secrets, headers = {} }: Receiver,
    signal: AbortSignal,
  ): Promise<GuardedResponse> {
    return egress.fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": contentType,
        ...(secrets.length > 0 && signatureHeaders({ id, timestampMs: clock.now(), body, secrets })),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      // A redirect would resend the body and the credentials to an address that nobody has entered.
      maxRedirects: 0,
      signal,
    });
  }

  function ended(
    status: "delivered" | "failed",
    error: string | null,
    response?: GuardedResponse,
  ): AttemptOutcome {
    return { status, dueAt: null, error, at: clock.now(), ...responseFields(response) };
  }

  function retryOrFail(
    { attempts }: OutboxDelivery,
    error: string,
    { response, retryAfterMs }: { response?: GuardedResponse; retryAfterMs?: number | undefined } = {},
  ): AttemptOutcome {
    if (attempts >= MAX_ATTEMPTS) return ended("failed", error, response);
    const at = clock.now();
    const dueAt = at + retryDelayMs(attempts, { random, retryAfterMs });
    return { status: "pending", dueAt, error, at, ...responseFields(response) };
  }

  return async (delivery, signal) => {
    let response: GuardedResponse;
    try {
      const receiver = await findReceiver(delivery);
      if (receiver === undefined) return ended("failed", "The receiver was deleted or is switched off.");
      response = await send(delivery, receiver, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof AppError && (error.permanent || error.code === "invalid_url");
      return isFinal ? ended("failed", error.message) : retryOrFail(delivery, messageOf(error));
    }
    const { status, headers } = response;
    if (status >= 200 && status <= 299) return ended("delivered", null, response);
    const problem = `The receiver responded with status ${status}.`;
    if (status === GONE) {
      await disableReceiver(delivery);
      return ended("failed", problem, response);
    }
    return retryOrFail(delivery, problem, { response, retryAfterMs: retryAfter(headers["retry-after"]) });
  };
}

function responseFields(
  response: GuardedResponse | undefined,
): Pick<AttemptOutcome, "responseStatus" | "responseExcerpt"> {
  if (response === undefined) return { responseStatus: null, responseExcerpt: null };
  const excerpt = response.body.toString("utf8").slice(0, EXCERPT_LENGTH);
  return { responseStatus: response.status, responseExcerpt: excerpt.replaceAll(NOT_STORABLE, "") || null };
}

/** Seconds; the form with a date is rare and is ignored. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}
