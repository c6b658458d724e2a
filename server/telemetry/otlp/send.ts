import type { Egress } from "../../security/egress.ts";

export interface SendOptions {
  egress: Pick<Egress, "fetch">;
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/** `retry` when the collector may accept the same message later. */
export type Sent = { ok: true } | { ok: false; retry: boolean; reason: string; retryAfterMs?: number };

export type Send = (message: object, signal: AbortSignal) => Promise<Sent>;

/** Statuses after which the specification of OTLP asks for another attempt. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const MAX_RESPONSE_BYTES = 64 * 1024;

/** One message to the collector. Never rejects. */
export function createSend({ egress, url, headers, timeoutMs }: SendOptions): Send {
  return async (message, signal) => {
    try {
      const response = await egress.fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(message),
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        // A redirect would take the headers of the operator to another host.
        maxRedirects: 0,
        signal,
      });
      const { status } = response;
      if (status >= 200 && status <= 299) return { ok: true };
      const seconds = Number(response.headers["retry-after"]);
      return {
        ok: false,
        retry: RETRYABLE.has(status),
        reason: `status ${status}`,
        ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
      };
    } catch (error) {
      return { ok: false, retry: true, reason: error instanceof Error ? error.message : String(error) };
    }
  };
}
