/**
 * Digits are counted from the first one of a number, or the search would take the square of the length. A number with
 * fewer than 200 digits and an exponent of two is finite.
 */
const HUGE_NUMBER = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

/** True when a number of the text is too large: 1e999 parses as Infinity, which JSON.stringify writes as null. */
export function hasInfiniteNumber(text: string, parsed: unknown): boolean {
  return HUGE_NUMBER.test(text) && holdsInfinity(parsed);
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsInfinity);
  return value === Infinity || value === -Infinity;
}
