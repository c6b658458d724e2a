import { RE2JS } from "re2js";
import { MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE, patternSize } from "../../contract/steps/pattern-size.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { sameJson, type SchemaWalk } from "./json-schema-types.ts";

type Rules = Readonly<Record<string, unknown>>;
type Say = (message: string) => void;

/** Of a pattern, for each of its instructions, in characters of a text that it is searched in. */
const COMPILE_WORK = 100;

export function checkText(walk: SchemaWalk, value: string, rules: Rules, say: Say): void {
  const { minLength, maxLength, pattern } = rules;
  const isBounded = typeof minLength === "number" || typeof maxLength === "number";
  const length = isBounded && walk.takes(value.length) ? [...value].length : value.length;
  if (typeof minLength === "number" && length < minLength) say(`must have at least ${minLength} characters`);
  if (typeof maxLength === "number" && length > maxLength) say(`must have at most ${maxLength} characters`);
  if (typeof pattern === "string" && !matches(walk, pattern, value)) say(`must match ${pattern}`);
}

export function checkNumber(value: number, rules: Rules, say: Say): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (typeof minimum === "number" && value < minimum) say(`must be at least ${minimum}`);
  if (typeof maximum === "number" && value > maximum) say(`must be at most ${maximum}`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    say(`must be more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    say(`must be less than ${exclusiveMaximum}`);
  if (typeof multipleOf === "number" && multipleOf > 0) {
    const parts = value / multipleOf;
    // 0.3 / 0.1 is 2.9999999999999996.
    if (Math.abs(parts - Math.round(parts)) > 1e-9) say(`must be a multiple of ${multipleOf}`);
  }
}

export function checkList(walk: SchemaWalk, value: JsonValue[], rules: Rules, path: string): void {
  const { minItems, maxItems, uniqueItems, prefixItems, items } = rules;
  const say = (message: string): void => void walk.problems.push({ path, message });
  if (typeof minItems === "number" && value.length < minItems) say(`must have at least ${minItems} items`);
  if (typeof maxItems === "number" && value.length > maxItems) say(`must have at most ${maxItems} items`);
  if (uniqueItems === true && walk.takes(value.length) && hasTwins(walk, value))
    say("must not contain the same item twice");
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  value.forEach((item, index) => {
    const rule: unknown = index < first.length ? first[index] : items;
    if (rule !== undefined) walk.check(item, rule, `${path}[${index}]`);
  });
}

export function checkObject(
  walk: SchemaWalk,
  value: Record<string, unknown>,
  rules: Rules,
  path: string,
): void {
  const { required, additionalProperties, minProperties, maxProperties } = rules;
  const properties = isRecord(rules["properties"]) ? rules["properties"] : {};
  const patterns = Object.entries(isRecord(rules["patternProperties"]) ? rules["patternProperties"] : {});
  const say = (at: string, message: string): void => void walk.problems.push({ path: at, message });
  for (const name of Array.isArray(required) && walk.takes(required.length) ? required : [])
    if (!Object.hasOwn(value, String(name))) say(below(path, String(name)), "is missing");
  const count = Object.keys(value).length;
  if (typeof minProperties === "number" && count < minProperties) say(path, `needs ${minProperties} fields`);
  if (typeof maxProperties === "number" && count > maxProperties)
    say(path, `may have ${maxProperties} fields`);

  for (const [name, child] of Object.entries(value) as [string, JsonValue][]) {
    const at = below(path, name);
    const fitting = patterns.filter(([pattern]) => matches(walk, pattern, name));
    for (const [, rule] of fitting) walk.check(child, rule, at);
    if (Object.hasOwn(properties, name)) walk.check(child, properties[name], at);
    else if (fitting.length === 0 && additionalProperties === false) say(at, "is not allowed here");
    else if (fitting.length === 0) walk.check(child, additionalProperties, at);
  }
}

function below(path: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function hasTwins(walk: SchemaWalk, items: readonly JsonValue[]): boolean {
  if (items.every((item) => typeof item !== "object")) return new Set(items).size < items.length;
  return (
    items.length < 2000 &&
    walk.takes(items.length ** 2) &&
    items.some((item, i) => items.slice(0, i).some((other) => sameJson(item, other)))
  );
}

/** A pattern that RE2 does not support (look-aheads, back references) or that takes too long matches everything. */
function matches(walk: SchemaWalk, pattern: string, text: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return true;
  const size = patternSize(pattern);
  if (size > MAX_PATTERN_SIZE || !walk.takes(size * (text.length + COMPILE_WORK))) return true;
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return true;
  }
}
