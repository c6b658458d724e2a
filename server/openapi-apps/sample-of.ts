import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { mergedSchema } from "./field-of.ts";
import type { Resolve, Schema } from "./read-document.ts";

const MAX_DEPTH = 4;
const MAX_PROPERTIES = 30;
const MAX_TEXT = 200;
/** Length of one sample as JSON: two thousand are stored with an app. */
const MAX_LENGTH = 3000;

/** The answer of a call that worked, as JSON: its schema and the example of the document. */
export function answerOf(operation: Schema, resolve: Resolve): { schema?: unknown; example?: JsonValue } {
  const responses = isRecord(operation["responses"]) ? operation["responses"] : {};
  const [, given] = Object.entries(responses).find(([status]) => /^2(\d\d|XX)$/i.test(status)) ?? [];
  const success = resolve(given ?? responses["default"]);
  if (success === undefined) return {};
  // Swagger 2.
  if (success["schema"] !== undefined)
    return { schema: success["schema"], ...exampleOf(jsonIn(success["examples"])) };
  const content = jsonIn(success["content"]);
  if (!isRecord(content)) return {};
  return { schema: content["schema"], ...exampleOf(content["example"] ?? firstExample(content, resolve)) };
}

/** What the answer looks like, before the first run: the example of the document, or one made from the schema. */
export function sampleOf(
  { schema, example }: { schema?: unknown; example?: JsonValue },
  resolve: Resolve,
): JsonValue {
  for (const candidate of [
    () => example,
    ...[MAX_DEPTH, 2, 1].map((depth) => () => valueOf(schema, resolve, depth, new Set())),
  ]) {
    const sample = candidate();
    if (sample !== undefined && JSON.stringify(sample).length <= MAX_LENGTH) return sample;
  }
  return null;
}

/** The list of a paged answer, which is what its action returns. */
export function itemsIn(
  { schema, example }: { schema?: unknown; example?: JsonValue },
  { items }: { items: string },
  resolve: Resolve,
): { schema?: unknown; example?: JsonValue } {
  const [, name] = /^\{\{body\.(\w+)\}\}$/.exec(items) ?? [];
  if (name === undefined) return { schema, ...exampleOf(example) };
  const resolved = resolve(schema);
  const properties = resolved && mergedSchema(resolved, resolve)["properties"];
  return {
    schema: isRecord(properties) ? properties[name] : undefined,
    ...exampleOf(isRecord(example) ? example[name] : undefined),
  };
}

function jsonIn(content: unknown): unknown {
  if (!isRecord(content)) return undefined;
  const type = Object.keys(content).find((name) => /^application\/(.+\+)?json\b|^\*\/\*/i.test(name));
  return type === undefined ? undefined : content[type];
}

function firstExample({ examples }: Schema, resolve: Resolve): unknown {
  return isRecord(examples) ? resolve(Object.values(examples)[0])?.["value"] : undefined;
}

function exampleOf(example: unknown): { example?: JsonValue } {
  return example === undefined ? {} : { example: example as JsonValue };
}

function valueOf(
  given: unknown,
  resolve: Resolve,
  depth: number,
  path: ReadonlySet<unknown>,
): JsonValue | undefined {
  const resolved = resolve(given);
  if (resolved === undefined || depth < 0 || path.has(resolved)) return undefined;
  const schema = mergedSchema(resolved, resolve);
  const shown =
    schema["example"] ?? firstOf(schema["examples"]) ?? schema["default"] ?? firstOf(schema["enum"]);
  if (shown !== undefined && typeof shown !== "object")
    return typeof shown === "string" ? shown.slice(0, MAX_TEXT) : (shown as JsonValue);
  if (shown !== undefined && shown !== null && JSON.stringify(shown).length <= MAX_LENGTH)
    return shown as JsonValue;
  const inside = new Set([...path, resolved]);
  if (isRecord(schema["properties"])) return objectOf(schema["properties"], resolve, depth, inside);
  if (schema["items"] !== undefined) {
    const item = valueOf(schema["items"], resolve, depth - 1, inside);
    return item === undefined ? [] : [item];
  }
  return plainValue(schema);
}

function objectOf(
  properties: Record<string, unknown>,
  resolve: Resolve,
  depth: number,
  path: ReadonlySet<unknown>,
): JsonValue {
  const values = Object.keys(properties)
    .slice(0, MAX_PROPERTIES)
    .flatMap((name): [string, JsonValue][] => {
      const value = valueOf(properties[name], resolve, depth - 1, path);
      return value === undefined ? [] : [[name, value]];
    });
  return Object.fromEntries(values);
}

function plainValue({ type, format }: Schema): JsonValue | undefined {
  switch (Array.isArray(type) ? (type as unknown[]).find((each) => each !== "null") : type) {
    case "string":
      return format === "date-time" ? "2026-01-31T12:00:00Z" : format === "date" ? "2026-01-31" : "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return undefined;
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}
