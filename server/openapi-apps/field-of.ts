import type { AppField } from "../../contract/apps.ts";
import {
  type InputField,
  inputFormats,
  inputTypes,
  type InputType,
} from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Resolve, Schema } from "./read-document.ts";

const MAX_DEPTH = 3;
const MAX_PROPERTIES = 60;
const MAX_CHOICES = 200;
const MAX_TEXT = 300;

/** A schema as the field of a form. Deep and recursive parts become plain objects. */
export function fieldOf(given: unknown, name: string, resolve: Resolve): AppField {
  const { title, required: _required, ...field } = inputFieldOf(given, resolve, 0, new Set());
  return { ...field, title: shortText(title) ?? wordsOf(name) };
}

function inputFieldOf(
  given: unknown,
  resolve: Resolve,
  depth: number,
  path: ReadonlySet<unknown>,
): InputField {
  const resolved = resolve(given);
  // A schema that contains itself would never end.
  if (resolved === undefined || path.has(resolved)) return { type: "object" };
  const inside = new Set([...path, resolved]);
  const schema = mergedSchema(resolved, resolve);
  const type = typeOf(schema);
  const description = shortText(schema["description"]);
  const format = inputFormats.find((known) => known === schema["format"]);
  const choices = choicesOf(schema, type);
  const field: InputField = {
    type: schema["format"] === "binary" ? "object" : type,
    ...(typeof schema["title"] === "string" && { title: schema["title"] }),
    ...(description && { description }),
    ...(schema["format"] === "binary"
      ? { format: "file" as const }
      : format && type === "string" && { format }),
    ...(choices && { enum: choices }),
    ...numbersOf(schema, type),
  };
  if (type === "array" && depth < MAX_DEPTH)
    field.items = inputFieldOf(schema["items"] ?? {}, resolve, depth + 1, inside);
  if (type === "object" && depth < MAX_DEPTH && isRecord(schema["properties"])) {
    const names = Object.keys(schema["properties"]).slice(0, MAX_PROPERTIES);
    const properties = schema["properties"];
    field.properties = Object.fromEntries(
      names.map((name) => [name, inputFieldOf(properties[name], resolve, depth + 1, inside)]),
    );
    field.additionalProperties = true;
  }
  return field;
}

/** `allOf` joined; of `anyOf` and `oneOf` the first that is not null, because a form shows one. */
export function mergedSchema(schema: Schema, resolve: Resolve, depth = 0): Schema {
  const parts = Array.isArray(schema["allOf"]) ? (schema["allOf"] as unknown[]) : [];
  const choices = [schema["anyOf"], schema["oneOf"]].find(Array.isArray) as unknown[] | undefined;
  if (depth > 8 || (parts.length === 0 && choices === undefined)) return schema;
  const first = choices?.map(resolve).find((choice) => choice !== undefined && choice["type"] !== "null");
  const merged: Schema = { ...schema };
  for (const part of [...parts.map(resolve), first]) {
    if (part === undefined) continue;
    const { properties, required, ...rest } = mergedSchema(part, resolve, depth + 1);
    for (const [name, value] of Object.entries(rest)) merged[name] ??= value;
    if (isRecord(properties))
      merged["properties"] = { ...(merged["properties"] as object | undefined), ...properties };
    if (Array.isArray(required) && part !== first)
      merged["required"] = [
        ...((merged["required"] as unknown[] | undefined) ?? []),
        ...(required as unknown[]),
      ];
  }
  return merged;
}

function typeOf({ type, properties, items, enum: choices }: Schema): InputType {
  const named = (Array.isArray(type) ? (type as unknown[]) : [type]).find((each) => each !== "null");
  const known = inputTypes.find((each) => each === named);
  if (known !== undefined) return known;
  if (isRecord(properties)) return "object";
  if (items !== undefined) return "array";
  return Array.isArray(choices) && typeof choices[0] === "number" ? "number" : "string";
}

function choicesOf({ enum: choices }: Schema, type: InputType): JsonValue[] | undefined {
  if (!Array.isArray(choices) || choices.length > MAX_CHOICES) return undefined;
  const kind = type === "integer" ? "number" : type;
  const matching = choices.filter((choice) => typeof choice === kind && choice !== "");
  return matching.length > 0 ? [...new Set(matching as JsonValue[])] : undefined;
}

function numbersOf(schema: Schema, type: InputType): Partial<InputField> {
  const names =
    type === "string"
      ? (["minLength", "maxLength"] as const)
      : type === "array"
        ? (["minItems", "maxItems"] as const)
        : type === "number" || type === "integer"
          ? (["minimum", "maximum"] as const)
          : [];
  return Object.fromEntries(
    names.flatMap((name) => (Number.isFinite(schema[name]) ? [[name, schema[name] as number]] : [])),
  );
}

export function shortText(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const text = given
    .replace(/<[^>]{0,200}>/g, "")
    // Neither database keeps NUL and lone surrogates.
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
  if (text === "") return undefined;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/** `created_at` → "Created at". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z\d]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? "Value" : words[0]!.toUpperCase() + words.slice(1);
}
