import {
  type InputField,
  type InputFormat,
  type InputSchema,
  inputFormats,
} from "../../contract/input/input-field.ts";
import { isFileReference } from "../../contract/file-reference.ts";
import { checkField } from "../../contract/input/check-input.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";

/** A field in the list of the builder. */
export interface NamedField {
  name: string;
  field: InputField;
  required: boolean;
}

/** The kinds of fields that people choose from; each is a type with a format. */
export const fieldKinds = [
  { value: "text", label: "Text" },
  { value: "multiline", label: "Long text" },
  { value: "choice", label: "Choice" },
  { value: "number", label: "Number" },
  { value: "integer", label: "Whole number" },
  { value: "boolean", label: "Yes or no" },
  { value: "date", label: "Date" },
  { value: "date-time", label: "Date and time" },
  { value: "email", label: "Email" },
  { value: "uri", label: "URL" },
  { value: "file", label: "File" },
  { value: "array", label: "List" },
  { value: "object", label: "Object" },
] as const;
export type FieldKind = (typeof fieldKinds)[number]["value"];

export function fieldsOf(schema: InputSchema | undefined): NamedField[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    field,
    required: schema?.required?.includes(name) ?? false,
  }));
}

/** Without fields there is no schema, so that a workflow that needs none stores none. */
export function withFields(
  schema: InputSchema | undefined,
  fields: readonly NamedField[],
): InputSchema | undefined {
  if (fields.length === 0) return undefined;
  const required = fields.filter((one) => one.required).map(({ name }) => name);
  const { required: _before, ...rest } = schema ?? {};
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, field }) => [name, field])),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function moveField(fields: readonly NamedField[], from: number, to: number): NamedField[] {
  const moved = [...fields];
  const [field] = moved.splice(from, 1);
  if (field !== undefined) moved.splice(Math.max(0, Math.min(to, moved.length)), 0, field);
  return moved;
}

/** `field`, else `field_2`, `field_3` …: the first that is not taken. */
export function freeFieldName(fields: readonly NamedField[]): string {
  const taken = new Set(fields.map(({ name }) => name));
  if (!taken.has("field")) return "field";
  for (let number = 2; ; number += 1) if (!taken.has(`field_${number}`)) return `field_${number}`;
}

export function kindOf({ type, format, enum: choices }: InputField): FieldKind {
  if (choices !== undefined) return "choice";
  if (format !== undefined) return format;
  if (type === "string") return "text";
  return type;
}

/** The field as another kind; label and description are kept, and what the kind does not know is dropped. */
export function asKind({ title, description }: InputField, kind: FieldKind): InputField {
  const texts = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  const format = inputFormats.find((one): one is InputFormat => one === kind);
  if (format !== undefined) return { type: format === "file" ? "object" : "string", format, ...texts };
  if (kind === "text") return { type: "string", ...texts };
  if (kind === "choice") return { type: "string", enum: ["Option 1"], ...texts };
  if (kind === "array") return { type: "array", items: { type: "string" }, ...texts };
  return { type: kind as InputField["type"], ...texts };
}

/** "text", "4 choices", "list": the type in the words of the page. */
export function describeField(field: InputField): string {
  const kind = kindOf(field);
  if (kind === "choice") {
    const count = field.enum?.length ?? 0;
    return `${count} ${count === 1 ? "choice" : "choices"}`;
  }
  return (fieldKinds.find(({ value }) => value === kind)?.label ?? kind).toLowerCase();
}

/** Fields for the values of a real input. Existing fields stay as they are. */
export function learnFields(fields: readonly NamedField[], input: unknown): NamedField[] {
  if (!isRecord(input)) return [...fields];
  const known = new Set(fields.map(({ name }) => name));
  const found = Object.entries(input)
    .filter(([name]) => name !== "" && name !== "__proto__" && name.length <= 100 && !known.has(name))
    .map(([name, value]) => ({ name, field: fieldFor(value as JsonValue), required: false }));
  return [...fields, ...found].slice(0, 200);
}

function fieldFor(value: JsonValue): InputField {
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (Array.isArray(value))
    return value.every((item) => typeof item === "string")
      ? { type: "array", items: { type: "string" } }
      : { type: "array" };
  if (isFileReference(value)) return { type: "object", format: "file" };
  if (isRecord(value)) return { type: "object" };
  if (typeof value !== "string") return { type: "string" };
  const format = (["email", "date", "date-time"] as const).find(
    (one) => checkField({ type: "string", format: one }, value) === undefined,
  );
  if (format !== undefined) return { type: "string", format };
  if (/^https?:\/\//.test(value)) return { type: "string", format: "uri" };
  return value.includes("\n") ? { type: "string", format: "multiline" } : { type: "string" };
}

/** An input that fits the fields, for examples and samples. */
export function sampleInput(schema: InputSchema | undefined): Record<string, JsonValue> {
  return Object.fromEntries(fieldsOf(schema).map(({ name, field }) => [name, sampleOf(field)]));
}

function sampleOf(field: InputField): JsonValue {
  const given = field.default ?? field.enum?.[0];
  if (given !== undefined) return given;
  if (field.type === "array" && field.items !== undefined) return [sampleOf(field.items)];
  if (field.type !== "object" || field.properties === undefined) return SAMPLES[kindOf(field)];
  return Object.fromEntries(Object.entries(field.properties).map(([name, inner]) => [name, sampleOf(inner)]));
}

const SAMPLES: Readonly<Record<FieldKind, JsonValue>> = {
  text: "text",
  multiline: "text",
  choice: "",
  number: 1.5,
  integer: 1,
  boolean: true,
  date: "2026-01-31",
  "date-time": "2026-01-31T09:30:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
  array: ["text"],
  object: {},
  file: {
    file: `file_${"0".repeat(29)}`,
    name: "example.pdf",
    contentType: "application/pdf",
    size: 1,
  },
};
