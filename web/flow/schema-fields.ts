import type { FieldKind, FormField } from "./form-fields.ts";

const MAX_FIELDS = 40;

interface Property {
  type?: unknown;
  enum?: unknown;
  title?: unknown;
  description?: unknown;
  default?: unknown;
}

/**
 * The fields of a form for the arguments of an MCP tool, from its JSON Schema. Undefined when a form would not show all that
 * the schema allows; the arguments are then written as JSON.
 */
export function schemaFields(schema: Readonly<Record<string, unknown>>): FormField[] | undefined {
  const { properties, required, additionalProperties, $ref, anyOf, oneOf, allOf } = schema;
  if ([$ref, anyOf, oneOf, allOf].some((keyword) => keyword !== undefined)) return undefined;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return undefined;
  const entries = Object.entries(properties as Record<string, unknown>);
  if (entries.length === 0 || entries.length > MAX_FIELDS) return undefined;
  if (typeof additionalProperties === "object" && additionalProperties !== null) return undefined;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return entries.map(([name, property]) =>
    toField(name, typeof property === "object" && property !== null ? property : {}, needed.has(name)),
  );
}

function toField(name: string, property: Property, required: boolean): FormField {
  const { title, description, default: fallback } = property;
  const label = typeof title === "string" && title !== "" ? title : name;
  return {
    name,
    label: required ? label : `${label} (optional)`,
    hint: typeof description === "string" ? description : undefined,
    required,
    kind: kindOf(property),
    long: false,
    fixed: false,
    fallback: undefined,
    options: choicesOf(property).map((value) => ({ value, label: value })),
    example: fallback === undefined ? undefined : JSON.stringify(fallback),
    section: "settings",
    common: true,
    before: undefined,
    applies: () => true,
  };
}

/** Numbers, lists and objects are values: they may also be a placeholder. */
function kindOf(property: Property): FieldKind {
  if (choicesOf(property).length > 0) return "choice";
  return property.type === "string" ? "text" : "value";
}

function choicesOf({ enum: choices }: Property): string[] {
  return Array.isArray(choices) && choices.every((choice) => typeof choice === "string") ? choices : [];
}
