import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";

/** An HTTP response that a workflow composed. */
export interface CustomResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const MAX_HEADERS = 50;
const MAX_HEADER_LENGTH = 4_000;
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
// Printable Latin-1: a line break would begin another header.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Headers of the connection, of cookies, of the browser's security rules for this origin, and those by which proxies
 * serve other files.
 */
const FORBIDDEN =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|date|server|set-cookie2?|clear-site-data|strict-transport-security|permissions-policy|referrer-policy|content-security-policy.*|cross-origin-.*|access-control-.*|origin-agent-cluster|service-worker-allowed|reporting-endpoints|report-to|nel|alt-svc|refresh|proxy-.*|ratelimit-.*|x-content-type-options|x-frame-options|x-request-id|x-accel-.*|x-sendfile.*|x-lighttpd-.*|x-reproxy-.*)$/;

/** Reads `{statusCode, headers, body}`; a text says why the output is not a response. */
export async function readCustomResponse(output: JsonValue): Promise<CustomResponse | string> {
  if (!isRecord(output)) return "it is not an object with statusCode, headers and body";
  const { statusCode = 200, headers = {}, body = "", ...others } = output;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `it has the unknown field ${unknown}`;
  if (!Number.isInteger(statusCode) || (statusCode as number) < 200 || (statusCode as number) > 599)
    return "statusCode is not a whole number from 200 to 599";
  if (!isRecord(headers)) return "headers is not an object";
  const entries = Object.entries(headers).map(([name, value]): [string, JsonValue] => [
    name.toLowerCase(),
    value,
  ]);
  if (entries.length > MAX_HEADERS) return `it has more than ${MAX_HEADERS} headers`;
  const wrong = entries.find(([name, value]) => !isAllowed(name, value));
  if (wrong !== undefined) return `the header ${wrong[0].slice(0, 100)} is not allowed`;
  const isText = typeof body === "string";
  return {
    statusCode: statusCode as number,
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
      ...Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
    },
    // 205 has no body; of 204 and 304 the HTTP server sends none.
    body: statusCode === 205 ? "" : isText ? body : await serializeInTurns(body),
  };
}

/** Whether a workflow may set the header, with its name in lower case. */
export function isAllowedHeader(name: string): boolean {
  return NAME.test(name) && !FORBIDDEN.test(name);
}

function isAllowed(name: string, value: JsonValue): boolean {
  if (!isAllowedHeader(name)) return false;
  if (typeof value === "object") return false;
  const text = String(value);
  return text.length <= MAX_HEADER_LENGTH && VALUE.test(text);
}
