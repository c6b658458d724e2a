import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { JsonSchema } from "./language-model.ts";

export interface SchemaProblem {
  /** `$.orders[2].total` */
  path: string;
  /** Follows the path: "must be text". */
  message: string;
}

/** For people and models: "“orders[2].total” must be a number". `whole` names the value itself. */
export function problemText({ path, message }: SchemaProblem, whole: string): string {
  const field = path.replace(/^\$\.?/, "");
  return `${field === "" ? whole : `“${field}”`} ${message}`;
}

/** A check of one value. Collects `problems` up to a limit. */
export interface SchemaWalk {
  root: JsonSchema;
  problems: SchemaProblem[];
  check(value: JsonValue, schema: unknown, path: string): void;
  /** True if the value matches. Records no problems. */
  fits(value: JsonValue, schema: unknown): boolean;
  /** Counts work of about 20 ns each. False for more than is left: the rule is then not checked, or less exactly. */
  takes(work: number): boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

export function typeNameOf(type: unknown): string {
  return NAMES[String(type)] ?? String(type);
}

export function isJsonType(value: JsonValue, type: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** JSON equality: the order of keys does not matter. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index] as JsonValue));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] as JsonValue, b[key] as JsonValue))
  );
}
