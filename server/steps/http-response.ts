import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { GuardedResponse } from "../security/guarded-fetch.ts";
import { decodeUtf8, toBinaryValue } from "./binary-value.ts";
import { parseJsonText } from "./json-text.ts";

const JSON_TYPE = /^(application|text)\/(json|[\w.-]+\+json)$/;
const TEXT_TYPE =
  /^(text\/.+|application\/(xml|javascript|ecmascript|graphql|sql|yaml|x-yaml|toml|x-ndjson|jsonl|x-www-form-urlencoded|.+\+xml|.+\+yaml))$/;

/** Parsed when it is JSON and says so, or says nothing; text when it is text, else its bytes; nothing is null. */
export function readAnswer({ headers, body }: GuardedResponse): JsonValue {
  if (body.length === 0) return null;
  const [contentType = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const type = contentType.trim();
  if (JSON_TYPE.test(type)) {
    const text = decodeText(body, parameters);
    return parseJsonText(text) ?? text;
  }
  if (TEXT_TYPE.test(type)) return decodeText(body, parameters);
  // Without a type the bytes decide.
  const text = type === "" ? decodeUtf8(body) : undefined;
  if (text === undefined) return toBinaryValue(body, type || undefined);
  return parseJsonText(text) ?? text;
}

export function visibleHeaders(headers: Record<string, string>): Record<string, string> {
  // A session cookie is a password, and the step result is shown and kept.
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "set-cookie"));
}

/** How long the other side asks us to wait: `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than a date of HTTP: "12" and "in 3 hours 5" are dates to it.
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function decodeText(body: Buffer, parameters: string[]): string {
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  try {
    return new TextDecoder(charset ?? "utf-8").decode(body);
  } catch {
    // A charset that nobody knows.
    return new TextDecoder().decode(body);
  }
}
