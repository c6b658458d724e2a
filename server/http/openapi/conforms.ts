import { nameInRef, type Schema, type Schemas } from "./schema.ts";

/**
 * Whether a value by field name suits the schema of the field. It knows only what decides between values, such as types
 * and patterns; the tests check every example with a full validator.
 */
export function conforms(value: unknown, schema: Schema, components: Schemas): boolean {
  if (schema.$ref !== undefined) return conforms(value, components[nameInRef(schema.$ref)] ?? {}, components);
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (branches.length > 0) return branches.some((branch) => conforms(value, branch, components));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  if (typeof value === "string") return conformsText(value, schema);
  if (Array.isArray(value)) return value.every((item) => conforms(item, schema.items ?? {}, components));
  return typeof value !== "object" || value === null || conformsObject(value, schema, components);
}

function hasType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function conformsText(value: string, { pattern, format }: Schema): boolean {
  if (format === "date-time" && Number.isNaN(Date.parse(value))) return false;
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(value);
}

function conformsObject(value: object, schema: Schema, components: Schemas): boolean {
  const { properties = {}, required = [], additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => conforms(field, properties[name] ?? others, components))
  );
}
