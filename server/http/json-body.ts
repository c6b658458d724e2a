import { isUtf8 } from "node:buffer";
import { AppError } from "../lib/errors.ts";

export const JSON_MEDIA_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/;

const MAX_DEPTH = 200;
const HUGE_NUMBER = /\d[eE]\+?\d{3}|\d{300}/;

/** Bytes that are no UTF-8 would be read as replacement characters: other text than was sent. */
export function parseJsonBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw notJson();
  return parseJsonBody(bytes.toString("utf8"));
}

/**
 * Reads a JSON body. Deep nesting is refused because everything behind (validation, JSON.stringify, a person's
 * eyes) walks it recursively; `__proto__` keys because a later copy of such an object would change its prototype.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    throw new AppError("invalid_json", `The JSON is nested more than ${MAX_DEPTH} levels deep.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson();
  }
  // `"__proto__"` may be spelled with \u escapes; without either there is no such key.
  if ((text.includes("__proto__") || text.includes("\\u")) && holds(value, isProtoKey)) {
    throw new AppError("invalid_json", "The JSON has a key named __proto__, which is not accepted.");
  }
  // 1e999 reads as Infinity, which would be stored as null; only a long number can be that large.
  if (HUGE_NUMBER.test(text) && holds(value, isInfinite)) {
    throw new AppError("invalid_json", "The JSON has a number that is too large to be kept.");
  }
  return value;
}

function notJson(): AppError {
  return new AppError("invalid_json", "The body is not valid JSON.");
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x7d || char === 0x5d) depth--;
  }
  return deepest;
}

function holds(value: unknown, test: (key: string, value: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return test("", value);
  return Object.entries(value).some(([key, child]) => test(key, child) || holds(child, test));
}

function isProtoKey(key: string): boolean {
  return key === "__proto__";
}

function isInfinite(_key: string, value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}
