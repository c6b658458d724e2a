import { inputFormats, type InputSchema, inputTypes } from "../../contract/input/input-field.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { fieldKinds, fieldsOf, type NamedField, withFields } from "./input-schema-edit.ts";

/** Formats of Baton's own mean nothing to a model. */
const FORM_ONLY: ReadonlySet<string> = new Set(["multiline", "file"]);

/** What a field of a model's answer can be. */
export const answerKinds = fieldKinds.filter(({ value }) => !FORM_ONLY.has(value));

const SHOWN: ReadonlySet<string> = new Set(["type", "properties", "required", "additionalProperties"]);

/** The fields of a schema; undefined when a list of fields would not show all of it. */
export function answerFields(schema: unknown): NamedField[] | undefined {
  if (schema === undefined) return [];
  if (!isRecord(schema) || Object.keys(schema).some((name) => !SHOWN.has(name))) return undefined;
  const { type = "object", properties = {}, required = [] } = schema;
  if (type !== "object" || !isRecord(properties) || !Array.isArray(required)) return undefined;
  // A required field that is not described has no row.
  if (!required.every((name) => Object.hasOwn(properties, String(name)))) return undefined;
  return Object.values(properties).every(isField) ? fieldsOf(schema as InputSchema) : undefined;
}

function isField(field: unknown): boolean {
  if (!isRecord(field)) return false;
  const { type, format, enum: choices } = field;
  return (
    inputTypes.some((one) => one === type) &&
    (format === undefined || inputFormats.some((one) => one === format)) &&
    (choices === undefined || (Array.isArray(choices) && type === "string"))
  );
}

export function withAnswerFields(schema: unknown, fields: readonly NamedField[]): unknown {
  return withFields(schema as InputSchema | undefined, fields);
}
