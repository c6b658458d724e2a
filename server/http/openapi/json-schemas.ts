import * as z from "zod";
import { nameInRef, refTo, type Schema, type Schemas } from "./schema.ts";
import { simplify } from "./simplify-schema.ts";

/** JSON Schemas of requests ("input") or responses ("output"). */
interface Conversion {
  of(schema: z.ZodType): Schema;
  /** The schemas with an id, by that id. */
  named: Schemas;
}

/** A key that no id has: the schema of one part of a route, which is inlined where it is used. */
const ANONYMOUS = "~";

/** Converts all schemas of the routes in one pass each way; one pass per schema takes ten times as long. */
export function convertSchemas(
  requests: readonly z.ZodType[],
  responses: readonly z.ZodType[],
): { request(schema: z.ZodType): Schema; response(schema: z.ZodType): Schema; components: Schemas } {
  const input = convert(requests, "input");
  const output = convert(responses, "output");
  const differing = findDiffering(input.named, output.named);
  const rename = (name: string) => (differing.has(name) ? `${name}Input` : name);
  const components: Schemas = { ...output.named };
  for (const [name, schema] of Object.entries(input.named))
    components[rename(name)] = mapRefs(schema, (ref) => refTo(rename(ref)));
  for (const schema of Object.values(components)) addMapping(schema, components);
  return {
    request: (schema) => mapRefs(input.of(schema), (ref) => refTo(rename(ref))),
    response: output.of,
    components,
  };
}

function convert(schemas: readonly z.ZodType[], io: "input" | "output"): Conversion {
  const registry = z.registry<{ id: string }>();
  const keys = new Map<z.ZodType, string>();
  for (const schema of new Set(schemas)) {
    const key = z.globalRegistry.get(schema)?.id ?? `${ANONYMOUS}${keys.size}`;
    keys.set(schema, key);
    registry.add(schema, { id: key });
  }
  const converted = z.toJSONSchema(registry, {
    io,
    unrepresentable: "any",
    uri: (key) => `key:${key}`,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === "union" && "discriminator" in def)
        jsonSchema["discriminator"] = { propertyName: def.discriminator };
    },
  }).schemas as Record<string, Schema>;
  const { __shared: shared, ...own } = converted;
  const all: Schemas = { ...(shared?.["$defs"] as Schemas | undefined), ...own };

  const resolve = (schema: Schema): Schema => mapRefs(simplify(schema, io), byKey);
  const byKey = (key: string): Schema => (key.startsWith(ANONYMOUS) ? resolve(all[key] ?? {}) : refTo(key));
  const named = Object.entries(all).filter(([key]) => !key.startsWith(ANONYMOUS));
  return {
    of: (schema) => byKey(keys.get(schema) ?? ""),
    named: Object.fromEntries(named.map(([key, schema]) => [key, resolve(schema)])),
  };
}

/** Generators need the values of the discriminator; without them they expect the names of the components. */
function addMapping(schema: Schema, components: Schemas): void {
  const { discriminator, oneOf = [] } = schema;
  if (discriminator === undefined) return;
  const { propertyName } = discriminator as { propertyName: string };
  const mapping: Record<string, unknown> = {};
  for (const { $ref = "" } of oneOf) {
    const { const: only, enum: values = [only] } =
      components[nameInRef($ref)]?.properties?.[propertyName] ?? {};
    for (const value of values) mapping[String(value)] = $ref;
  }
  schema["discriminator"] = { propertyName, mapping };
}

/** Replaces every `$ref`: in zod's form (`key:Name`, `key:__shared#/$defs/Name`) or that of the document. */
function mapRefs(schema: Schema, replace: (name: string) => Schema): Schema {
  if (typeof schema.$ref === "string") {
    const { $ref, ...rest } = schema;
    return { ...replace($ref.replace(/^.*[/:]/, "")), ...rest };
  }
  const mapValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapValue);
    return typeof value === "object" && value !== null ? mapRefs(value as Schema, replace) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, mapValue(value)]));
}

/** Names whose request differs from their response, themselves or in a schema that they refer to. */
function findDiffering(input: Schemas, output: Schemas): Set<string> {
  const shared = Object.keys(input).filter((name) => output[name] !== undefined);
  const differing = new Set(
    shared.filter((name) => JSON.stringify(input[name]) !== JSON.stringify(output[name])),
  );
  for (let size = -1; size !== differing.size;) {
    size = differing.size;
    for (const name of shared) if (refsOf(input[name]).some((ref) => differing.has(ref))) differing.add(name);
  }
  return differing;
}

function refsOf(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    (match) => match[1] ?? "",
  );
}
