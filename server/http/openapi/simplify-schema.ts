import type { Schema } from "./schema.ts";

const ZOD_KEYS: ReadonlySet<string> = new Set(["$id", "$schema", "id"]);

/**
 * Removes what zod writes and no reader of the document needs, so that generated types stay readable: its own keys,
 * bounds of safe integers, and the patterns behind formats.
 */
export function simplify(schema: Schema, io: "input" | "output"): Schema {
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(schema))
    if (!ZOD_KEYS.has(keyword)) result[keyword] = simplifyKeyword(keyword, value, io);

  // Responses may gain fields: a client that rejects unknown ones would break.
  if (io === "output" && result.additionalProperties === false) delete result.additionalProperties;
  if (result["format"] !== undefined) delete result["pattern"];
  if (isAnyText(result["propertyNames"])) delete result["propertyNames"];
  if (result["minimum"] === Number.MIN_SAFE_INTEGER) delete result["minimum"];
  if (result["maximum"] === Number.MAX_SAFE_INTEGER) delete result["maximum"];
  return withoutNullBranch(result);
}

function simplifyKeyword(keyword: string, value: unknown, io: "input" | "output"): unknown {
  if (keyword === "properties" || keyword === "$defs")
    return mapValues(value as Record<string, Schema>, (child) => simplify(child, io));
  if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf" || keyword === "prefixItems")
    return (value as Schema[]).map((child) => simplify(child, io));
  if (keyword === "items" || keyword === "additionalProperties" || keyword === "propertyNames")
    return typeof value === "object" ? simplify(value as Schema, io) : value;
  return value;
}

/** `anyOf: [{type: "string"}, {type: "null"}]` as `type: ["string", "null"]`. */
function withoutNullBranch(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null") return schema;
  const [value] = anyOf;
  if (typeof value?.type !== "string" || "enum" in value || "const" in value) return schema;
  return { ...value, ...rest, type: [value.type, "null"] };
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}

function mapValues<T, R>(record: Record<string, T>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
