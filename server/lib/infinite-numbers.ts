import type { PartedWork } from "./in-turns.ts";

/**
 * Digits are counted from the first one of a number, or the search would take the square of the length. A number with
 * fewer than 200 digits and an exponent of two is finite.
 */
const HUGE_NUMBER = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

/** True when a number of the text is too large: 1e999 parses as Infinity, which JSON.stringify writes as null. */
export function hasInfiniteNumber(text: string, parsed: unknown): boolean {
  return HUGE_NUMBER.test(text) && holdsInfinity(parsed);
}

const PART_LENGTH = 256 * 1024;
/** A number that begins at the end of a part is found in that part. */
const OVERLAP = 200;

/** False when no number of a large text is too large; true when one may be, also when only a string looks like it. */
export function* mayHoldInfinity(text: string): PartedWork<boolean> {
  for (let at = 0; at < text.length; at += PART_LENGTH) {
    if (HUGE_NUMBER.test(text.slice(at, at + PART_LENGTH + OVERLAP))) return true;
    yield;
  }
  return false;
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsInfinity);
  return value === Infinity || value === -Infinity;
}
