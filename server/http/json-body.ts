import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../lib/errors.ts";
import { hasInfiniteNumber, mayHoldInfinity } from "../lib/infinite-numbers.ts";
import { inTurns } from "../lib/in-turns.ts";
import { parseJsonInParts } from "../lib/parted-json.ts";

/** Parsed in turns of the event loop above this size: two megabytes of `[]` take 0.1 s at once. */
export const LARGE_BODY = 256 * 1024;

export const MAX_DEPTH = 200;

export function parseJsonBytes(bytes: Buffer): unknown {
  return parseJsonBody(textOf(bytes));
}

export async function parseAnyJsonBytes(bytes: Buffer): Promise<unknown> {
  return bytes.length > LARGE_BODY ? parseLargeJsonBytes(bytes) : parseJsonBytes(bytes);
}

export async function parseLargeJsonBytes(bytes: Buffer): Promise<unknown> {
  const text = textOf(bytes);
  await nextTurn();
  assertShallow(text);
  if (text.trim() === "") return undefined;
  await nextTurn();
  const { reviver, assertNoneFound } = createFinder();
  const isSuspect = mayHoldProto(text) || (await inTurns(mayHoldInfinity(text)));
  const value = await inTurns(
    parseJsonInParts(text, { maxDepth: MAX_DEPTH, reviver: isSuspect ? reviver : undefined }),
  ).catch((error: unknown) => {
    throw error instanceof SyntaxError ? invalidJson() : error;
  });
  assertNoneFound();
  return value;
}

/** Finds while it is parsed what must not be in a value. The reviver costs one call per key. */
function createFinder() {
  let hasProto = false;
  let hasInfinity = false;
  return {
    reviver(key: string, child: unknown): unknown {
      hasProto ||= key === "__proto__";
      hasInfinity ||= child === Infinity || child === -Infinity;
      return child;
    },
    assertNoneFound() {
      if (hasProto) throw protoKey();
      if (hasInfinity) throw hugeNumber();
    },
  };
}

/**
 * Rejects invalid UTF-8: decoding would silently put replacement characters into the data. The byte order mark that
 * programs of Windows write is not part of the text.
 */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new AppError("invalid_json", "The body is not UTF-8. Send JSON in UTF-8, without compression.");
  return bytes.toString("utf8", hasMark(bytes) ? 3 : 0);
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/**
 * Parses a JSON body. Rejects deep nesting, because validation and JSON.stringify recurse, and `__proto__` keys, because
 * copying such an object would change its prototype.
 */
export function parseJsonBody(text: string): unknown {
  assertShallow(text);
  const value = parse(text);
  assertSafe(text, value);
  return value;
}

function assertShallow(text: string): void {
  if (text.length > 2 * MAX_DEPTH && shapeOf(text).depth > MAX_DEPTH) {
    throw new AppError("invalid_json", `The JSON is nested more than ${MAX_DEPTH} levels deep.`);
  }
}

/** Undefined for a blank body. */
function parse(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

function assertSafe(text: string, value: unknown): void {
  if (mayHoldProto(text) && hasProtoKey(value)) throw protoKey();
  if (hasInfiniteNumber(text, value)) throw hugeNumber();
}

/** The key may be written with \u escapes; a text with neither cannot contain it. */
function mayHoldProto(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u");
}

function protoKey(): AppError {
  return new AppError("invalid_json", "The JSON has a key named __proto__, which is not allowed.");
}

function hugeNumber(): AppError {
  return new AppError("invalid_json", "The JSON has a number that is too large. Send it as text.");
}

function invalidJson(): AppError {
  return new AppError("invalid_json", "The body is not valid JSON.");
}

/** How deep a JSON text is nested, and how many values it has, without parsing it. */
export function shapeOf(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x2c) values++;
    else if (char === 0x7b || char === 0x5b) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return { depth: deepest, values };
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, child]) => key === "__proto__" || hasProtoKey(child));
}
