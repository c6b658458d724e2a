import type { ResponseHead } from "./exchange.ts";
import { ACCEPTED_ENCODINGS, isDecodable } from "./response-body.ts";

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

/** What is sent for the caller's headers; names in lower case. */
export function requestHeaders(given: Record<string, string> = {}): Record<string, string> {
  const headers: Record<string, string> = { "accept-encoding": ACCEPTED_ENCODINGS, "user-agent": "baton" };
  for (const name of Object.keys(given)) {
    const key = name.toLowerCase();
    if (!OWN_HEADERS.has(key)) headers[key] = given[name]!;
  }
  return headers;
}

/** What the caller gets of the response's headers. */
export function visibleHeaders(head: ResponseHead): Record<string, string> {
  const isDecoded = isDecodable(encodingOf(head));
  const headers: Record<string, string> = {};
  for (const name of Object.keys(head.headers)) {
    // These headers describe the compressed bytes, not the returned ones.
    if (isDecoded && (name === "content-encoding" || name === "content-length")) continue;
    headers[name] = headerText(head.headers[name]);
  }
  return headers;
}

export function encodingOf({ headers }: ResponseHead): string {
  return headerText(headers["content-encoding"]);
}

export function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
