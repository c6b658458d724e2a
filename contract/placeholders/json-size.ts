import type { JsonValue } from "./json-value.ts";

/**
 * A value counts the characters of its JSON text, and at least this much: a list of a million empty objects has 3 MB of
 * text, but takes 60 MB of memory and blocks the event loop while it is parsed.
 */
export const MIN_VALUE_SIZE = 16;

/**
 * Objects with more keys than this are hash tables: a key takes ten times as much memory and CPU time as an item of a
 * list, so each counts this much more. Half a million keys would block the event loop for more than a second.
 */
const MANY_KEYS = 1000;
const KEY_SIZE = 64;

/** `JSON.stringify` and other code that walks a value would overflow the stack. */
const MAX_DEPTH = 1000;

/** Smaller values are counted again whenever they occur. */
const REMEMBERED_SIZE = 1024;

/**
 * The size of a value; a number over `max`, which ends the count, when it is larger. Infinity for a value that is nested
 * too deeply.
 */
export type Measure = (value: JsonValue, max: number) => number;

interface Size {
  size: number;
  depth: number;
}

/**
 * Counts without serialising. The size of a large list or object is remembered, because placeholders insert the same
 * object many times: ten references to an output, ten times over, would be a walk of a million values.
 */
export function createMeasure(): Measure {
  const remembered = new WeakMap<object, Size>();
  let deepest = 0;

  function sizeOf(value: JsonValue, max: number, depth: number): number {
    if (typeof value === "string") return Math.max(MIN_VALUE_SIZE, textSize(value, max) + 2);
    if (typeof value !== "object" || value === null) return MIN_VALUE_SIZE;
    const known = remembered.get(value);
    const depthWithin = depth + (known?.depth ?? 1);
    if (depthWithin > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    if (depthWithin > deepest) deepest = depthWithin;
    if (known !== undefined) return known.size;
    const deepestBefore = deepest;
    deepest = depthWithin;
    let size = MIN_VALUE_SIZE;
    if (Array.isArray(value)) {
      for (const item of value) {
        size += sizeOf(item, max - size, depth + 1);
        if (size > max) return size;
      }
    } else {
      const keys = Object.keys(value);
      if (keys.length > MANY_KEYS) size += keys.length * KEY_SIZE;
      if (size > max) return size;
      for (const key of keys) {
        size += textSize(key, max) + sizeOf(value[key]!, max - size, depth + 1);
        if (size > max) return size;
      }
    }
    if (size >= REMEMBERED_SIZE) remembered.set(value, { size, depth: deepest - depth });
    deepest = Math.max(deepest, deepestBefore);
    return size;
  }

  return (value, max) => {
    deepest = 0;
    return sizeOf(value, max, 0);
  };
}

/** Written as two or six characters; half of a surrogate pair only when the other half is missing. */
const MAY_BE_ESCAPED = /["\\]|[^ -\ud7ff\ue000-\uffff]/;
const PART_LENGTH = 65_536;

/**
 * The characters of a text in JSON, without its quotes. A control character takes six of them: ten megabytes of control
 * characters would be stored as sixty. In parts, so that the copy is small and the count ends at the maximum.
 */
function textSize(text: string, max: number): number {
  if (text.length > max) return text.length;
  if (text.length <= PART_LENGTH) return partSize(text);
  let size = 0;
  for (let from = 0; from < text.length && size <= max; from += PART_LENGTH)
    size += partSize(text.slice(from, from + PART_LENGTH));
  return size;
}

function partSize(text: string): number {
  return MAY_BE_ESCAPED.test(text) ? JSON.stringify(text).length - 2 : text.length;
}
