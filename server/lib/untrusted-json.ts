import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { hasInfiniteNumber, mayHoldInfinity } from "./infinite-numbers.ts";
import { atOnce, inTurns, type PartedWork } from "./in-turns.ts";
import { findEndOfString, NestedTooDeeply, parseJsonInParts, simpleEndOfString } from "./parted-json.ts";

export const MAX_DEPTH = 200;

/** Parsed in turns of the event loop above this size: ten megabytes of objects would block it for more than a second. */
export const LARGE_TEXT = 256 * 1024;

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];

/** Ends an error message about text for which `parseJsonText` returns undefined. */
export const UNREADABLE_JSON = "is not valid JSON, is nested too deeply, or has a number that is too large";

/**
 * Why text is refused. `depth`: later code walks values recursively and would overflow the stack. `proto`: a copy of an
 * object with a key `__proto__` would change its prototype. `number`: one that is too large would be stored as null.
 */
export type JsonFault = "syntax" | "depth" | "proto" | "number";

export type ReadJson = { value: JsonValue } | { fault: JsonFault };

/** The value of JSON text from outside, or why it is refused. */
export function readJson(text: string): ReadJson {
  if (isDeep(text)) return { fault: "depth" };
  const finder = mayHoldProto(text) ? createFinder({ proto: true, infinity: false }) : undefined;
  try {
    const value = JSON.parse(text, finder?.reviver) as JsonValue;
    const fault = finder?.fault() ?? (hasInfiniteNumber(text, value) ? "number" : undefined);
    return fault === undefined ? { value } : { fault };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** The same in parts, for text of any size. */
export function* readJsonInParts(text: string): PartedWork<ReadJson> {
  const infinity = yield* mayHoldInfinity(text);
  const finder = createFinder({ proto: yield* mayHoldProtoInParts(text), infinity });
  try {
    const value = yield* parseJsonInParts(text, { maxDepth: MAX_DEPTH, reviver: finder.reviver });
    const fault = finder.fault();
    return fault === undefined ? { value } : { fault };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** The value, or undefined if it is refused. */
export function parseJsonText(text: string): JsonValue | undefined {
  return valueOf(readJson(text));
}

/** The same for text of any size. A promise only for large text, which is parsed in turns of the event loop. */
export function parseAnyJsonText(
  text: string,
  signal?: AbortSignal,
): JsonValue | undefined | Promise<JsonValue | undefined> {
  return text.length > LARGE_TEXT
    ? inTurns(readJsonInParts(text), signal).then(valueOf)
    : parseJsonText(text);
}

function valueOf(read: ReadJson): JsonValue | undefined {
  return "value" in read ? read.value : undefined;
}

function faultOf(error: unknown): JsonFault {
  if (error instanceof NestedTooDeeply) return "depth";
  if (error instanceof SyntaxError) return "syntax";
  throw error;
}

/** Each of its characters may be escaped, as in `\u005f_proto__`. */
function mayHoldProto(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u00");
}

/** In ten megabytes of line breaks, which are escaped, the search for another escape takes a tenth of a second. */
function* mayHoldProtoInParts(text: string): PartedWork<boolean> {
  for (let from = 0; from < text.length; from += LARGE_TEXT) {
    if (mayHoldProto(text.slice(from, from + LARGE_TEXT + "__proto__".length))) return true;
    yield;
  }
  return false;
}

/** Finds what must not be in a value while it is parsed. The reviver costs one call per key, so it is undefined if nothing is looked for. */
function createFinder({ proto, infinity }: { proto: boolean; infinity: boolean }) {
  let hasProto = false;
  let hasInfinity = false;
  const reviver = (key: string, child: unknown): unknown => {
    hasProto ||= key === "__proto__";
    hasInfinity ||= child === Infinity || child === -Infinity;
    return child;
  };
  return {
    reviver: proto || infinity ? reviver : undefined,
    fault: (): JsonFault | undefined => (hasProto ? "proto" : hasInfinity ? "number" : undefined),
  };
}

/** The number of values in JSON text, without parsing it, in turns. Text that is not JSON gets some number. */
export async function countValues(text: string): Promise<number> {
  return (await inTurns(scan(text, Number.POSITIVE_INFINITY))).values;
}

/** Whether JSON text is nested deeper than `maxDepth`, and how many values it has up to there, without parsing it. */
export function shapeOf(text: string, maxDepth: number): { isDeep: boolean; values: number } {
  return atOnce(scan(text, maxDepth));
}

function isDeep(text: string): boolean {
  return text.length > 2 * MAX_DEPTH && shapeOf(text, MAX_DEPTH).isDeep;
}

/** Skips strings as a whole: a megabyte of text in one string is a single search for its end. */
function* scan(text: string, maxDepth: number): PartedWork<{ isDeep: boolean; values: number }> {
  let depth = 0;
  let values = 1;
  let readTo = LARGE_TEXT;
  for (let at = 0; at < text.length; at++) {
    if (at > readTo) {
      readTo = at + LARGE_TEXT;
      yield;
    }
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = simpleEndOfString(text, at) ?? (yield* findEndOfString(text, at));
        break;
      case COMMA:
        values += 1;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        values += 1;
        if (++depth > maxDepth) return { isDeep: true, values };
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        // An opening bracket counts for the first value after it; here there is none.
        if (isOpening(text.charCodeAt(at - 1))) values -= 1;
    }
  }
  return { isDeep: false, values };
}

function isOpening(code: number): boolean {
  return code === OPENING_BRACE || code === OPENING_BRACKET;
}
