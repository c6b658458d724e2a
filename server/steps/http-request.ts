import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import { parseJson } from "../lib/lenient-parse.ts";
import { serialize } from "../lib/serialize-json.ts";
import { bytesOf } from "./binary-value.ts";
import { idempotencyKeyOf } from "./http-idempotency.ts";
import { hasUpload, openUpload, type UploadBody } from "./http-upload.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Line breaks would inject a header. undici rejects them too, but does not name the header.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface HttpRequest {
  url: URL;
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | Buffer | UploadBody | undefined;
  };
}

export interface RequestBody {
  body?: string | Buffer | UploadBody;
  contentType?: string;
}

/** The body that the step's fields describe. A promise only when it is large or sends files. */
export function bodyOf(
  call: Parameters<typeof openUpload>[0],
  runFiles: Parameters<typeof openUpload>[1],
): RequestBody | Promise<RequestBody> {
  if (!hasUpload(call)) return valueBody(call.fields["body"]);
  return openUpload(call, runFiles).then((body) => ({ body, contentType: body.contentType }));
}

/** The request that the step's fields describe. */
export function buildRequest(
  call: Pick<StepCall, "fields" | "idempotencyKey" | "answeredFailures">,
  { body, contentType }: RequestBody,
): HttpRequest {
  const { fields } = call;
  const headers: Record<string, string> = {};
  // In the order of their names, which the idempotency key needs.
  if (contentType !== undefined) headers["content-type"] = contentType;
  headers["user-agent"] = "Baton";
  addHeaders(headers, fields);
  const init: HttpRequest["init"] = { method: methodOf(fields["method"]), headers, body };
  const request: HttpRequest = { url: urlOf(fields), init };
  headers["idempotency-key"] ??= idempotencyKeyOf(call, request);
  return request;
}

/** The step's headers, with lower-case names. */
export function headersOf(fields: StepCall["fields"]): Record<string, string> {
  const headers: Record<string, string> = {};
  addHeaders(headers, fields);
  return headers;
}

function addHeaders(headers: Record<string, string>, fields: StepCall["fields"]): void {
  for (const [name, value] of namedStrings(fields["headers"], "headers")) {
    if (!HEADER_NAME.test(name)) throw invalidField("headers", `has an invalid name: ${quoted(name)}`);
    if (!HEADER_VALUE.test(value))
      throw invalidField("headers", `has an invalid character in ${quoted(name)}`);
    headers[name.toLowerCase()] = value;
  }
}

function methodOf(given: JsonValue | undefined): string {
  if (given === undefined || given === null || given === "") return "GET";
  const method = typeof given === "string" ? given.trim().toUpperCase() : "";
  if (!METHODS.has(method))
    throw invalidField("method", `must be one of ${[...METHODS].join(", ")}, not ${describeValue(given)}`);
  return method;
}

function urlOf(fields: StepCall["fields"]): URL {
  const url = parsedUrl(requiredText(fields, "url").trim());
  const query = namedStrings(fields["query"], "query");
  // Only when needed: searchParams re-encodes the URL's own query, which would break a signature over it.
  if (query.length > 0) {
    const added = new URLSearchParams(query).toString();
    url.search = url.search.length > 1 ? `${url.search}&${added}` : added;
  }
  return url;
}

function parsedUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalidField("url", "must be a complete URL with http:// or https://");
  }
}

function valueBody(given: JsonValue | undefined): RequestBody | Promise<RequestBody> {
  if (given === undefined || given === null) return {};
  if (typeof given === "string")
    return { body: given, contentType: isJson(given) ? "application/json" : "text/plain; charset=utf-8" };
  const bytes = bytesOf(given);
  if (bytes !== undefined)
    return { body: bytes, contentType: (given as { contentType: string }).contentType };
  const contentType = "application/json";
  const json = serialize(given);
  return typeof json === "string"
    ? { body: json, contentType }
    : json.then((body) => ({ body, contentType }));
}

/** Accepts an object or a list as JSON text too: placeholders are easier to write in text. */
function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined;
}

/** A missing value omits its name, a list repeats it. */
function namedStrings(given: JsonValue | undefined, field: string): [string, string][] {
  const named: [string, string][] = [];
  if (given === undefined || given === null) return named;
  if (!isRecord(given)) throw invalidField(field, `must be an object, not ${describeValue(given)}`);
  for (const [name, value] of Object.entries(given as Record<string, JsonValue>)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue;
      if (typeof item === "object")
        throw invalidField(field, `needs a string for ${quoted(name)}, not ${describeValue(item)}`);
      named.push([name, String(item)]);
    }
  }
  return named;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}
