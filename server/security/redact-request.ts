import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import { createRedactor } from "./redact.ts";
import { MASK } from "./redact-value.ts";

/** As in node:http: lower-case names. */
export type RequestHeaders = Record<string, string | string[] | undefined>;

/** Also those that proxies add for a person who has logged in there. */
const CREDENTIAL_HEADER =
  /secret|token|signature|hmac|authorization|^(x-)?auth(entication)?$|jwt|oidc-data|cookie|bearer|(api|access|auth|functions|subscription)[-_]?key|session[-_]?id|passw|pwd|credential|^x-amz-security/;
// Proxies copy the whole URL into these headers, including `?secret=…`.
const URL_HEADER = /^(referer|x-(envoy-)?(original|forwarded|rewrite)-(ur[il]|path|query))$/;
const MAX_HEADER_LENGTH = 4_000;

/** Whether the value of a header or a parameter is redacted, by its name. */
export function isRedacted(name: string): boolean {
  return CREDENTIAL_HEADER.test(name.toLowerCase());
}

/** The request that starts a task, as it is stored. `secret` is what the caller presented. */
export function redactRequest(
  { method, headers, query }: { method: string; headers: RequestHeaders; query: Record<string, unknown> },
  secret: string | undefined,
  signatureHeader?: string | null,
): TriggerRequest {
  return {
    method,
    headers: redactHeaders(headers, secret, signatureHeader),
    query: redactQuery(query, secret),
  };
}

/**
 * Redacts the headers stored with a delivery: headers with a credential's name, the configured signature header, and
 * every occurrence of the webhook's own secret.
 */
export function redactHeaders(
  headers: RequestHeaders,
  secret: string | undefined,
  signatureHeader: string | null | undefined,
): Record<string, string> {
  const redactor = createRedactor(secret === undefined ? [] : [secret]);
  const signatureName = signatureHeader?.toLowerCase();
  const redacted: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const isCredential = isRedacted(name) || name === signatureName;
    const text = Array.isArray(value) ? value.join(", ") : value;
    redacted[name] = isCredential ? MASK : withoutQuery(name, redactor.text(text));
  }
  return redacted;
}

/** The query of a delivery: `secret` is left out, other credentials are redacted by the same rules as headers. */
function redactQuery(query: Record<string, unknown>, secret: string | undefined): TriggerRequest["query"] {
  const redactor = createRedactor(secret === undefined ? [] : [secret]);
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      if (name === "secret") return [];
      const redacted = (text: unknown) => (isRedacted(name) ? MASK : redactor.text(String(text)));
      return [[redactor.text(name), Array.isArray(value) ? value.map(redacted) : redacted(value)]];
    }),
  );
}

function withoutQuery(name: string, text: string): string {
  const plain = URL_HEADER.test(name) ? text.replace(/\?.*$/s, `?${MASK}`) : text;
  return plain.slice(0, MAX_HEADER_LENGTH);
}
