import { isRecord, type JsonValue } from "./placeholders/json-value.ts";
import type { ConditionOperator } from "./steps/condition.ts";
import { trimEndOf } from "./trim-end.ts";

// Digits match in one way only. With `\d+\.?\d*`, 20,000 digits before a letter took seconds.
const NUMERIC_TEXT = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;
const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Every operator but `matches`, which may need another process. */
export function compare(
  operator: Exclude<ConditionOperator, "matches">,
  left: JsonValue,
  right: JsonValue,
): boolean {
  switch (operator) {
    case "eq":
      return isEqual(left, right);
    case "ne":
      return !isEqual(left, right);
    case "gt":
      return (order(left, right) ?? 0) > 0;
    case "gte":
      return (order(left, right) ?? -1) >= 0;
    case "lt":
      return (order(left, right) ?? 0) < 0;
    case "lte":
      return (order(left, right) ?? 1) <= 0;
    case "contains":
      return contains(left, right);
    case "startsWith":
      return withTexts(left, right, (text, part) => text.startsWith(part));
    case "endsWith":
      return withTexts(left, right, (text, part) => text.endsWith(part));
    case "exists":
      return left !== null;
    case "empty":
      return isEmpty(left);
  }
}

/** Two texts are compared as text ("01" is not "1"). Compared to a number or a boolean, text is converted. */
function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === "number" && typeof right === "string") return left === asNumber(right);
  if (typeof left === "string" && typeof right === "number") return asNumber(left) === right;
  if (typeof left === "boolean" && typeof right === "string") return String(left) === right;
  if (typeof left === "string" && typeof right === "boolean") return left === String(right);
  return isSame(left, right);
}

/** The keys of objects may be in any order. Values are at most 1,000 levels deep, so recursion is safe. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index]!))
    );
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key]!, right[key]!))
  );
}

/** Negative, 0 or positive; undefined if the two have no order. */
function order(left: JsonValue, right: JsonValue): number | undefined {
  const [leftNumber, rightNumber] = [asNumber(left), asNumber(right)];
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber;
  if (typeof left !== "string" || typeof right !== "string") return undefined;
  const [leftTime, rightTime] = [utcText(left), utcText(right)];
  if (leftTime !== undefined && rightTime !== undefined) return orderOf(leftTime, rightTime);
  return orderOf(left, right);
}

function contains(left: JsonValue, right: JsonValue): boolean {
  if (Array.isArray(left)) return left.some((item) => isEqual(item, right));
  if (isRecord(left)) return typeof right === "string" && Object.hasOwn(left, right);
  return withTexts(left, right, (text, part) => text.includes(part));
}

function withTexts(left: JsonValue, right: JsonValue, test: (text: string, part: string) => boolean) {
  const [text, part] = [asText(left), asText(right)];
  return text !== undefined && part !== undefined && test(text, part);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function orderOf(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/**
 * An ISO time with a zone as text that sorts by time; undefined for other text. Offsets and fractions of a second differ
 * between services, so that the given text has no order.
 */
export function utcText(text: string): string | undefined {
  const match = ISO_TIME.exec(text);
  if (match === null) return undefined;
  const [, time, fraction = "", zone] = match;
  const ms = Date.parse(`${time}${zone}`);
  if (Number.isNaN(ms)) return undefined;
  return new Date(ms).toISOString().slice(0, -".000Z".length) + trimEndOf(trimEndOf(fraction, "0"), ".");
}

/** A number, also one written as text. */
export function asNumber(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMERIC_TEXT.test(value) ? Number(value) : undefined;
}

export function asText(value: JsonValue): string | undefined {
  return value === null || typeof value === "object" ? undefined : String(value);
}
