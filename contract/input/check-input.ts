import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { isFileReference } from "../file-reference.ts";
import type { InputField, InputSchema } from "./input-field.ts";

/** Field → one sentence. Names of nested fields are paths: `address.city`, `tags[2]`. */
export type FieldProblems = Record<string, string>;

export interface CheckedInput {
  /** With the defaults of fields that were missing. */
  input: JsonValue;
  /** Undefined when the input is valid. */
  problems: FieldProblems | undefined;
}

const MAX_PROBLEMS = 100;

type Say = (path: string, sentence: string) => void;

/** Checks the input of a run, and adds defaults. The schema is valid: it was checked when it was stored. */
export function checkInput(schema: InputSchema, given: JsonValue): CheckedInput {
  const problems = new Map<string, string>();
  const input = checkObject(schema, given, "", (path, sentence) => {
    if (problems.size < MAX_PROBLEMS && !problems.has(path)) problems.set(path, sentence);
  });
  return { input, problems: problems.size === 0 ? undefined : Object.fromEntries(problems) };
}

function checkObject(
  { properties = {}, required = [], additionalProperties }: Omit<InputSchema, "type">,
  value: JsonValue,
  path: string,
  say: Say,
): JsonValue {
  if (!isRecord(value)) {
    say(path, `${path === "" ? "The input" : path} must be an object.`);
    return value;
  }
  const given = value as Record<string, JsonValue>;
  const result: Record<string, JsonValue> = { ...given };
  for (const [name, field] of Object.entries(properties)) {
    const at = path === "" ? name : `${path}.${name}`;
    if (Object.hasOwn(given, name)) result[name] = checkValue(field, given[name] as JsonValue, at, say);
    else if (field.default !== undefined) result[name] = field.default;
    else if (required.includes(name)) say(at, `${labelOf(field, at)} is required.`);
  }
  if (additionalProperties === false)
    for (const name of Object.keys(given))
      if (!Object.hasOwn(properties, name)) {
        const at = path === "" ? name.slice(0, 100) : `${path}.${name.slice(0, 100)}`;
        say(at, `${at} is not a field of this workflow.`);
      }
  return result;
}

function checkValue(field: InputField, value: JsonValue, path: string, say: Say): JsonValue {
  const problem = checkField(field, value);
  if (problem !== undefined) {
    say(path, `${labelOf(field, path)} ${problem}.`);
    return value;
  }
  if (field.type === "object") return checkObject(field, value, path, say);
  const { items } = field;
  if (field.type === "array" && items !== undefined)
    return (value as JsonValue[]).map((item, index) => checkValue(items, item, `${path}[${index}]`, say));
  return value;
}

function labelOf({ title }: InputField, path: string): string {
  if (title === undefined || title === "") return path;
  // “What happened?” is required.
  return /\p{P}$/u.test(title) ? `“${title}”` : title;
}

/** What is wrong with one value, to follow its label: "must be a number". Nested values are not checked. */
export function checkField(
  field: Partial<InputField> & Pick<InputField, "type">,
  value: JsonValue,
): string | undefined {
  if (!hasType(field.type, value)) return `must be ${TYPE_NAMES[field.type]}`;
  if (field.enum !== undefined && !field.enum.includes(value))
    return `must be one of: ${field.enum.slice(0, 20).map(String).join(", ")}`;
  if (field.format === "file" && !isFileReference(value)) return "must be a file";
  if (typeof value === "string") return checkText(field, value);
  if (typeof value === "number") {
    if (field.minimum !== undefined && value < field.minimum) return `must be at least ${field.minimum}`;
    if (field.maximum !== undefined && value > field.maximum) return `must be at most ${field.maximum}`;
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity } = field;
    if (value.length < minItems) return `must have at least ${counted(minItems, "item")}`;
    if (value.length > maxItems) return `must have at most ${counted(maxItems, "item")}`;
  }
  return undefined;
}

function checkText(
  { minLength = 0, maxLength = Infinity, format }: Partial<InputField>,
  value: string,
): string | undefined {
  if (minLength > 0 && !isLongerThan(value, minLength - 1))
    return `must have at least ${counted(minLength, "character")}`;
  if (isLongerThan(value, maxLength)) return `must have at most ${counted(maxLength, "character")}`;
  switch (format) {
    case "email":
      // The length bounds the backtracking of the pattern.
      return value.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
        ? undefined
        : "must be an email address";
    case "date":
      return isDate(value) ? undefined : "must be a date such as 2026-01-31";
    case "date-time":
      return isDateTime(value) ? undefined : "must be a time such as 2026-01-31T09:30:00Z";
    case "uri":
      return URL.canParse(value) ? undefined : "must be a URL such as https://example.com";
    default:
      return undefined;
  }
}

/** In characters as people count them: an emoji is one. A text of megabytes is not read to its end. */
function isLongerThan(value: string, limit: number): boolean {
  if (value.length <= limit) return false;
  let count = 0;
  for (const _character of value) if (++count > limit) return true;
  return false;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  // V8 turns 30 February into 1 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    isDate(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value))
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const TYPE_NAMES: Readonly<Record<InputField["type"], string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function hasType(type: InputField["type"], value: JsonValue): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
