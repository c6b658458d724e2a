import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { hasInfiniteNumber, mayHoldInfinity } from "../lib/infinite-numbers.ts";
import { atOnce, inTurns, type PartedWork } from "../lib/in-turns.ts";
import { findEndOfString, parseJsonInParts, simpleEndOfString } from "../lib/parted-json.ts";

const MAX_DEPTH = 200;
const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];

/** Ends an error message about text for which `parseJsonText` returns undefined. */
export const UNREADABLE_JSON = "is not valid JSON, is nested too deeply, or has a number that is too large";

/**
 * The value of untrusted JSON text, or undefined if it is invalid or cannot be represented. Too deep: later code walks
 * values recursively and would overflow the stack. A `__proto__` key: a copy of the object would change its prototype. A
 * number that is too large: it would be stored as null.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  if (isDeep(text)) return undefined;
  const { reviver, isFound } = createFinder({ proto: mayHoldProto(text), infinity: false });
  try {
    const value = JSON.parse(text, reviver) as JsonValue;
    return isFound() || hasInfiniteNumber(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Larger text is parsed in turns of the event loop: ten megabytes of objects would block it for more than a second. */
const LARGE_TEXT = 256 * 1024;

/** The same for text of any size, in turns of the event loop when it is large. */
export async function parseAnyJsonText(text: string, signal?: AbortSignal): Promise<JsonValue | undefined> {
  if (text.length <= LARGE_TEXT) return parseJsonText(text);
  try {
    return await inTurns(parseLargeText(text), signal);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function* parseLargeText(text: string): PartedWork<JsonValue | undefined> {
  const infinity = yield* mayHoldInfinity(text);
  const { reviver, isFound } = createFinder({ proto: mayHoldProto(text), infinity });
  const value = yield* parseJsonInParts(text, { maxDepth: MAX_DEPTH, reviver });
  return isFound() ? undefined : value;
}

/** The key may be written as \u005f… */
function mayHoldProto(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u005");
}

/** Finds what must not be in a value while it is parsed. The reviver costs one call per key, so it is undefined if nothing is looked for. */
function createFinder({ proto, infinity }: { proto: boolean; infinity: boolean }) {
  let isFound = false;
  const reviver = (key: string, child: unknown): unknown => {
    isFound ||= key === "__proto__" || child === Infinity || child === -Infinity;
    return child;
  };
  return { reviver: proto || infinity ? reviver : undefined, isFound: () => isFound };
}

/** The number of values in JSON text, without parsing it, in turns. Text that is not JSON gets some number. */
export async function countValues(text: string): Promise<number> {
  return (await inTurns(scan(text, Number.POSITIVE_INFINITY))).values;
}

function isDeep(text: string): boolean {
  return text.length > 2 * MAX_DEPTH && atOnce(scan(text, MAX_DEPTH)).isDeep;
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
