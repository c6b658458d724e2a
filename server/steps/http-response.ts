import { MIN_VALUE_SIZE } from "../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createTextDecoder } from "../lib/text-decoder.ts";
import { outputTooLarge } from "../limits/limit-reached.ts";
import type { Limits } from "../limits/limits.ts";
import type { GuardedResponse } from "../security/guarded-fetch.ts";
import { decodeUtf8, toBinaryValue } from "./binary-value.ts";
import { countValues, parseAnyJsonText } from "../lib/untrusted-json.ts";

const [OPENING_BRACE, OPENING_BRACKET] = [0x7b, 0x5b];
const JSON_TYPE = /^(application|text)\/(json|[\w.-]+\+json)$/;
const TEXT_TYPE =
  /^(text\/.+|application\/(xml|javascript|ecmascript|graphql|sql|yaml|x-yaml|toml|x-ndjson|jsonl|x-www-form-urlencoded|.+\+xml|.+\+yaml))$/;
/** The first one, in parameters that each begin with a semicolon. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)"?\s*(?=;|$)/;

/**
 * JSON is parsed if its content type says JSON or is missing. Other text stays text, other bytes become binary values, an
 * empty body is null. A promise only for large JSON.
 */
export function readAnswer({ headers, body }: GuardedResponse): JsonValue | Promise<JsonValue> {
  if (body.length === 0) return null;
  const contentType = (headers["content-type"] ?? "").toLowerCase();
  const end = contentType.indexOf(";");
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim();
  const parameters = end === -1 ? "" : contentType.slice(end);
  if (JSON_TYPE.test(type)) return parsed(decodeText(body, parameters));
  if (TEXT_TYPE.test(type)) return decodeText(body, parameters);
  // Without a type the bytes decide.
  const text = type === "" ? decodeUtf8(body) : undefined;
  return text === undefined ? toBinaryValue(body, type || undefined) : parsed(text);
}

/** The value of JSON text, or the text if it is refused. */
function parsed(text: string): JsonValue | Promise<JsonValue> {
  const value = parseAnyJsonText(text);
  return value instanceof Promise ? value.then((read) => read ?? text) : (value ?? text);
}

export type ValueLimits = Pick<Limits, "max" | "countRefusal">;

/** Refuses a list of millions of small values before it is parsed, which would block the process for seconds. A promise only for a large response. */
export function checkValues({ body }: GuardedResponse, limits: ValueLimits): Promise<void> | undefined {
  const maxBytes = limits.max("value_bytes");
  // Every value but the last takes two characters at least, itself and a comma.
  if (maxBytes === 0 || (body.length / 2) * MIN_VALUE_SIZE <= maxBytes) return undefined;
  const first = body[0];
  if (first !== OPENING_BRACE && first !== OPENING_BRACKET) return undefined;
  return countAndRefuse(body, maxBytes, limits);
}

async function countAndRefuse(body: Buffer, maxBytes: number, limits: ValueLimits): Promise<void> {
  if ((await countValues(body.toString("latin1"))) * MIN_VALUE_SIZE <= maxBytes) return;
  limits.countRefusal("value_bytes");
  throw outputTooLarge("value_bytes", `The response holds more values than fit into ${maxBytes} bytes.`);
}

export function visibleHeaders(headers: Record<string, string>): Record<string, string> {
  if (headers["set-cookie"] === undefined) return headers;
  // A session cookie is a credential, and step results are stored and shown.
  const { "set-cookie": _hidden, ...visible } = headers;
  return visible;
}

/** The delay of `Retry-After`, given in seconds or as a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts far more than HTTP dates, such as "12" and "in 3 hours 5".
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function decodeText(body: Buffer, parameters: string): string {
  const charset = CHARSET.exec(parameters)?.[1];
  try {
    return createTextDecoder(charset).decode(body);
  } catch {
    // An unknown charset.
    return new TextDecoder().decode(body);
  }
}
