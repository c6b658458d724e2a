import { checkInput, type FieldProblems } from "../../contract/input/check-input.ts";
import type { InputField, InputSchema } from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";

export type ControlKind =
  | "text"
  | "multiline"
  | "email"
  | "url"
  | "date"
  | "time"
  | "number"
  | "choice"
  | "yes-no"
  | "list"
  | "json";

/** What a person has entered: text as typed, and switches. */
export type FormValues = Readonly<Record<string, string | boolean>>;

export function controlOf({ type, format, enum: choices, items }: InputField): ControlKind {
  if (choices !== undefined && type !== "boolean") return "choice";
  switch (type) {
    case "boolean":
      return "yes-no";
    case "number":
    case "integer":
      return "number";
    case "array":
      return items === undefined || (items.type === "string" && items.enum === undefined) ? "list" : "json";
    case "object":
      return "json";
    case "string":
      return format === undefined ? "text" : FORMAT_CONTROLS[format];
  }
}

const FORMAT_CONTROLS = {
  email: "email",
  date: "date",
  "date-time": "time",
  uri: "url",
  multiline: "multiline",
  // Only objects have this format.
  file: "json",
} as const;

/** One file, or a list of files. */
export function isFileField({ type, format, items }: InputField): boolean {
  return format === "file" || (type === "array" && items?.format === "file");
}

/** The fields that are typed in, and those that are chosen from the disk. */
export function withoutFiles(schema: InputSchema): InputSchema {
  const { properties = {}, required = [] } = schema;
  const typed = Object.entries(properties).filter(([, field]) => !isFileField(field));
  return {
    ...schema,
    properties: Object.fromEntries(typed),
    required: required.filter((name) => properties[name] === undefined || !isFileField(properties[name])),
  };
}

export type FormFiles = Readonly<Record<string, readonly File[]>>;

/** One sentence for each required file that is missing. */
export function fileProblems(schema: InputSchema, files: FormFiles): FieldProblems {
  const { properties = {}, required = [] } = schema;
  const missing = Object.entries(properties).filter(
    ([name, field]) => isFileField(field) && required.includes(name) && (files[name] ?? []).length === 0,
  );
  return Object.fromEntries(missing.map(([name, field]) => [name, `${labelOf(name, field)} is required.`]));
}

export function labelOf(name: string, { title }: InputField): string {
  if (title !== undefined && title !== "") return title;
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? name : words[0]?.toUpperCase() + words.slice(1);
}

/** The fields filled with an earlier input, and with defaults where it has none. */
export function valuesOf(schema: InputSchema, input: unknown): FormValues {
  const given = isRecord(input) ? (input as Record<string, JsonValue>) : {};
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      textOf(field, given[name] ?? field.default),
    ]),
  );
}

function textOf(field: InputField, value: JsonValue | undefined): string | boolean {
  const control = controlOf(field);
  if (control === "yes-no") return value === true;
  if (value === undefined || value === null) return "";
  if (control === "list") return Array.isArray(value) ? value.map(String).join("\n") : "";
  if (control === "json") return JSON.stringify(value, null, 2);
  if (control === "time") return localTime(String(value));
  return String(value);
}

/** The input that the fields stand for, with the problems of each. Empty fields are left out. */
export function inputOf(
  schema: InputSchema,
  values: FormValues,
): { input: Record<string, JsonValue>; problems: FieldProblems } {
  const input: Record<string, JsonValue> = {};
  const unreadable: FieldProblems = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values[name] ?? "";
    if (typeof value === "boolean") input[name] = value;
    else if (value.trim() !== "") {
      const read = readText(field, value);
      if (read === undefined) unreadable[name] = `${labelOf(name, field)} is not valid JSON.`;
      else input[name] = read;
    }
  }
  const { problems } = checkInput(titled(schema), input);
  return { input, problems: { ...problems, ...unreadable } };
}

function readText(field: InputField, text: string): JsonValue | undefined {
  switch (controlOf(field)) {
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "choice":
      return field.enum?.find((choice) => String(choice) === text) ?? text;
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "time": {
      const time = new Date(text);
      return Number.isNaN(time.getTime()) ? text : time.toISOString();
    }
    case "json":
      try {
        return JSON.parse(text) as JsonValue;
      } catch {
        return undefined;
      }
    default:
      return text;
  }
}

/** Problems use the labels that the form shows. */
function titled(schema: InputSchema): InputSchema {
  const fields = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...field, title: labelOf(name, field) }]),
    ),
  };
}

/** `2026-01-31T09:30` in the time zone of the user, as the browser's control takes it. */
function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
