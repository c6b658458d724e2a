import { createHash } from "node:crypto";
import { isStorableText } from "../../contract/api.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import { invalidRequest } from "../lib/errors.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

/** A received CloudEvent: its context attributes, and its data as the input of the task. */
export interface ReceivedEvent {
  attributes: Record<string, string | number | boolean>;
  data: JsonValue;
  /** Combines `source` and `id`, which together identify an event. */
  key: string;
}

const STRUCTURED = /^application\/cloudevents\+json\s*(;|$)/i;
const HEADER_PREFIX = "ce-";
/** Far more than an event has, and about as many as a request may have headers. */
const MAX_ATTRIBUTES = 200;
const REQUIRED = ["id", "source", "type"] as const;

/** Undefined for a call that is no CloudEvent. Throws for one that lacks a required attribute. */
export function readCloudEvent(
  headers: TriggerRequest["headers"],
  body: JsonValue,
): ReceivedEvent | undefined {
  if (STRUCTURED.test(headers["content-type"] ?? "")) {
    if (!isRecord(body)) throw invalidEvent("the body is not an object");
    if (Object.keys(body).length > MAX_ATTRIBUTES)
      throw invalidEvent(`it has more than ${MAX_ATTRIBUTES} attributes`);
    const { data, data_base64: base64, ...attributes } = body;
    return toEvent(attributes, data ?? (base64 === undefined ? {} : { data_base64: base64 }));
  }
  if (headers["ce-specversion"] === undefined) return undefined;
  const attributes = Object.entries(headers)
    .filter(([name]) => name.startsWith(HEADER_PREFIX))
    // The HTTP binding percent-encodes what a header cannot contain.
    .map(([name, value]) => [name.slice(HEADER_PREFIX.length), percentDecode(value)]);
  const { "content-type": datacontenttype } = headers;
  return toEvent({ ...(datacontenttype && { datacontenttype }), ...Object.fromEntries(attributes) }, body);
}

function toEvent(given: Record<string, unknown>, data: JsonValue): ReceivedEvent {
  const attributes = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string | number | boolean] =>
      ["string", "number", "boolean"].includes(typeof entry[1]),
    ),
  );
  const { specversion } = attributes;
  if (typeof specversion !== "string" || !specversion.startsWith("1."))
    throw invalidEvent("specversion is not 1.0");
  for (const name of REQUIRED) {
    const value = attributes[name];
    if (typeof value !== "string" || value === "" || !isStorableText(value))
      throw invalidEvent(`${name} is missing`);
  }
  const { source, id } = attributes;
  return {
    attributes,
    data,
    key: createHash("sha256")
      .update(JSON.stringify([source, id]))
      .digest("hex"),
  };
}

function invalidEvent(problem: string): Error {
  return invalidRequest(`This is not a valid CloudEvent: ${problem}.`);
}
