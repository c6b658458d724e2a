import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import type { InputField, InputSchema } from "./input-field.ts";

/**
 * Reads fields that a form or a query can send only as text, as the types of the schema: "12.5" for a number. A text that
 * is none stays a text, so that the check names it.
 */
export function readTexts(schema: InputSchema | undefined, input: JsonValue): JsonValue {
  if (schema === undefined || !isRecord(input)) return input;
  const given = input as Record<string, JsonValue>;
  const { properties = {} } = schema;
  const read = { ...given };
  for (const name of Object.keys(properties))
    if (Object.hasOwn(given, name))
      read[name] = readText(properties[name] as InputField, given[name] as JsonValue);
  return read;
}

function readText({ type, items }: InputField, value: JsonValue): JsonValue {
  if (type === "array") {
    const list = Array.isArray(value) ? value : [value];
    return items === undefined ? list : list.map((item) => readText(items, item));
  }
  if (typeof value !== "string") return value;
  if ((type === "number" || type === "integer") && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
