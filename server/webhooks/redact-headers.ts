import { createRedactor, MASK } from "../security/redact.ts";
import type { RequestHeaders } from "./signatures.ts";

const CREDENTIAL_NAME =
  /secret|token|signature|hmac|authorization|cookie|api-?key|password|credential|^x-amz-security/;
// A proxy puts the whole address into one of these, `?secret=…` included.
const ADDRESS_NAME = /^(referer|x-(original|forwarded|rewrite)-(ur[il]|path|query))$/;
const MAX_HEADER_LENGTH = 4_000;

/**
 * Headers as a delivery keeps them: whatever is a credential by its name struck out, and the webhook's own
 * secret and its configured signature header wherever they stand.
 */
export function struckHeaders(
  headers: RequestHeaders,
  secret: string | undefined,
  signatureHeader: string | null | undefined,
): Record<string, string> {
  const redactor = createRedactor(secret === undefined ? [] : [secret]);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const isCredential = CREDENTIAL_NAME.test(name) || name === signatureHeader?.toLowerCase();
      const text = Array.isArray(value) ? value.join(", ") : value;
      return [[name, isCredential ? MASK : shown(name, redactor.text(text))]];
    }),
  );
}

function shown(name: string, text: string): string {
  const plain = ADDRESS_NAME.test(name) ? text.replace(/\?.*$/s, `?${MASK}`) : text;
  return plain.slice(0, MAX_HEADER_LENGTH);
}
