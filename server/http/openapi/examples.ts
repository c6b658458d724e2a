import { isUsuallyNull, knownValues } from "./example-values.ts";
import { conforms } from "./conforms.ts";
import { nameInRef, type Schema, type Schemas } from "./schema.ts";

interface FieldPosition {
  /** The field that holds the value. */
  name: string;
  /** The nearest component around it. */
  owner: string | undefined;
  depth: number;
}

const MAX_DEPTH = 8;

export interface Examples {
  /** A request: the required fields, or all fields when none is required. `noun` is what the operation is about. */
  request(schema: Schema, noun: string): unknown;
  /** A response: all fields. */
  response(schema: Schema): unknown;
}

/** Derives example values from the schemas: their own examples first, then values by field name, then by type. */
export function createExamples(components: Schemas): Examples {
  function exampleOf(schema: Schema, position: FieldPosition, all: boolean): unknown {
    const [own] = (schema["examples"] as unknown[] | undefined) ?? [];
    if (own !== undefined) return own;
    if (schema.$ref !== undefined) {
      const owner = nameInRef(schema.$ref);
      return exampleOf(components[owner] ?? {}, { ...position, owner, depth: position.depth + 1 }, all);
    }
    if (schema.const !== undefined) return schema.const;
    if (allowsNull(schema) && isUsuallyNull(position.name, position.owner)) return null;
    const known = knownValues(position.name, position.owner, schema["format"]);
    const suitable = known.find((value) => conforms(value, schema, components));
    if (suitable !== undefined) return suitable;
    if (schema["default"] !== undefined) return schema["default"];
    if (schema.enum !== undefined) return schema.enum[0];
    const branch = (schema.anyOf ?? schema.oneOf ?? []).find(({ type }) => type !== "null");
    if (branch !== undefined) return exampleOf(branch, position, all);
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, position, all)));
    return byType(schema, position, all);
  }

  function byType(schema: Schema, position: FieldPosition, all: boolean): unknown {
    switch (typeOf(schema)) {
      case "object":
        return objectOf(schema, position, all);
      case "array":
        if (position.depth > MAX_DEPTH) return [];
        return [exampleOf(schema.items ?? {}, { ...position, name: singular(position.name) }, all)];
      case "string":
        return textOf(schema, position.name);
      case "integer":
      case "number":
        return Math.max(Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 1), 1);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return {};
    }
  }

  function objectOf(schema: Schema, { owner, depth }: FieldPosition, all: boolean): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties } = schema;
    const fields: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(properties)) {
      const isWanted = required.includes(name) || (all && depth < MAX_DEPTH && !isFlag(field));
      if (!isWanted) continue;
      const value = exampleOf(field, { name, owner, depth: depth + 1 }, all);
      if (value !== undefined) fields[name] = value;
    }
    if (Object.keys(fields).length > 0 || typeof additionalProperties !== "object") return fields;
    if (Object.keys(additionalProperties).length === 0) return fields;
    const name = String(keysOf(schema)[0] ?? "orderId");
    return { [name]: exampleOf(additionalProperties, { name, owner, depth: depth + 1 }, all) };
  }

  /** The keys that a record allows, if it names them. */
  function keysOf({ propertyNames }: Schema): readonly unknown[] {
    const names = (propertyNames ?? {}) as Schema;
    return (names.$ref === undefined ? names : components[nameInRef(names.$ref)])?.enum ?? [];
  }

  const top: FieldPosition = { name: "", owner: undefined, depth: 0 };
  return {
    request(schema, noun) {
      const top: FieldPosition = { name: "", owner: noun, depth: 0 };
      const example = exampleOf(schema, top, false);
      const isEmpty = JSON.stringify(example) === "{}";
      return isEmpty ? exampleOf(schema, top, true) : example;
    },
    response: (schema) => exampleOf(schema, top, true),
  };
}

/** An optional `true` or `false` that is absent in the usual case, such as `draft: true`. */
function isFlag(schema: Schema): boolean {
  return typeof schema.const === "boolean";
}

function typeOf({ type, properties }: Schema): string | undefined {
  if (type === undefined && properties !== undefined) return "object";
  return typeof type === "string" ? type : type?.find((name) => name !== "null");
}

function allowsNull({ type, anyOf }: Schema): boolean {
  return Array.isArray(type) ? type.includes("null") : (anyOf ?? []).some((branch) => branch.type === "null");
}

function textOf(schema: Schema, name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return (words || "text").slice(0, Number(schema["maxLength"] ?? 200));
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}
