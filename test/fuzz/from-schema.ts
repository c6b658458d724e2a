import fc from "fast-check";
import { oddValue } from "./odd-values.ts";
import type { Document, Schema } from "./routes.ts";
import { recordToken } from "./tokens.ts";

const MAX_DEPTH = 6;
/** Weight of valid values against one invalid value. */
const VALID_WEIGHT = 40;

/** Mostly valid values of a schema. `known` has better values for some fields, by their name. */
export function valuesOf(
  document: Document,
  schema: Schema,
  known: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> {
  return valueOf(schema, "", 0);

  function valueOf(given: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (depth > MAX_DEPTH) return fc.constant(null);
    return fc.oneof(
      { weight: VALID_WEIGHT, arbitrary: known[name] ?? validValue(resolve(given), name, depth) },
      { weight: 1, arbitrary: oddValue },
    );
  }

  function validValue(it: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (it.const !== undefined) return fc.constant(it.const);
    if (it.enum !== undefined) return fc.constantFrom(...it.enum);
    const either = it.anyOf ?? it.oneOf ?? it.allOf;
    if (either !== undefined) return fc.oneof(...either.map((one) => valueOf(one, name, depth)));
    if (Array.isArray(it.type))
      return fc.oneof(...it.type.map((type) => validValue({ ...it, type }, name, depth)));
    switch (it.type) {
      case "object":
        return objectOf(it, depth);
      case "array":
        return fc.array(valueOf(it.items ?? {}, name, depth + 1), {
          minLength: it.minItems ?? 0,
          maxLength: Math.min(it.maxItems ?? 4, 4),
        });
      case "string":
        return textOf(it, name);
      case "integer":
        return fc.integer({ min: it.minimum ?? -5, max: Math.min(it.maximum ?? 100, 2 ** 31 - 1) });
      case "number":
        return fc.double({ min: it.minimum ?? -5, max: it.maximum ?? 100, noNaN: true });
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return fc.oneof(fc.jsonValue({ maxDepth: 2 }), oddValue);
    }
  }

  function objectOf({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, valueOf(property, name, depth + 1)]),
    );
    const keys = Object.keys(fields);
    return fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record(fields, { requiredKeys: keys.filter((key) => required.includes(key)) }),
      },
      { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    );
  }

  function resolve(it: Schema): Schema {
    let found = it;
    for (let hops = 0; found.$ref !== undefined && hops < 5; hops += 1) {
      found = document.components?.schemas?.[found.$ref.split("/").at(-1) ?? ""] ?? {};
    }
    return found;
  }
}

/** Fields that refer to records get ids of existing ones, of both users. */
const REFERS_TO_RECORD = /ids?$|^(agents|workflows|documents)$/i;

function textOf(
  { pattern, format, minLength = 0, maxLength = 60 }: Schema,
  name: string,
): fc.Arbitrary<string> {
  if (REFERS_TO_RECORD.test(name)) return recordToken(name);
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "email") return fc.nat(500).map((n) => `user${n}@example.com`);
  if (format === "uri") return fc.constantFrom("http://127.0.0.1:9/", "https://example.invalid/a?b=c");
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"), { maxLength: 40 });
  return fc.string({
    unit: "grapheme",
    minLength: Math.min(minLength, 1000),
    maxLength: Math.min(maxLength, 60),
  });
}
