import { expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { checkSchema } from "./json-schema.ts";

const cases: [string, unknown, JsonValue, JsonValue[]][] = [
  ["type", { type: "string" }, "x", [1, null, [], {}]],
  ["several types", { type: ["string", "null"] }, null, [1]],
  ["integer", { type: "integer" }, 3, [3.5, "3"]],
  ["enum", { enum: ["a", { b: 1 }] }, { b: 1 }, ["b"]],
  ["const", { const: [1] }, [1], [[2]]],
  ["length", { minLength: 2, maxLength: 3 }, "🙂🙂", ["a", "abcd"]],
  ["pattern", { pattern: "^a+$" }, "aa", ["ab"]],
  ["range", { minimum: 1, exclusiveMaximum: 5 }, 1, [0, 5]],
  ["multiple", { multipleOf: 0.1 }, 0.3, [0.35]],
  ["items", { items: { type: "number" }, minItems: 1 }, [1], [["x"], []]],
  [
    "unique items",
    { uniqueItems: true },
    [1, 2],
    [
      [1, 1],
      [{ a: 1 }, { a: 1 }],
    ],
  ],
  ["tuple", { prefixItems: [{ type: "string" }], items: { type: "number" } }, ["a", 1], [[1], ["a", "b"]]],
  [
    "properties",
    { properties: { a: { type: "number" } }, required: ["a"] },
    { a: 1, b: 2 },
    [{}, { a: "x" }],
  ],
  ["nothing more", { properties: { a: {} }, additionalProperties: false }, { a: 1 }, [{ b: 1 }]],
  ["more of a kind", { additionalProperties: { type: "number" } }, { x: 1 }, [{ x: "1" }]],
  ["anyOf", { anyOf: [{ type: "string" }, { type: "number" }] }, 1, [true]],
  ["oneOf", { oneOf: [{ type: "number" }, { type: "integer" }] }, 1.5, [1, "x"]],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, [3]],
  ["not", { not: { type: "string" } }, 1, ["x"]],
  ["$ref", { $defs: { n: { type: "number" } }, items: { $ref: "#/$defs/n" } }, [1], [["x"]]],
  ["false", false, null, []],
];

test.each(cases)("%s is checked", (name, schema, right, wrong) => {
  expect(checkSchema(right, schema)).toHaveLength(name === "false" ? 1 : 0);
  for (const value of wrong) expect(checkSchema(value, schema)).not.toEqual([]);
});

test("problems name the place", () => {
  const schema = {
    properties: { orders: { items: { required: ["id"], properties: { "unit price": { type: "number" } } } } },
  };
  expect(checkSchema({ orders: [{ id: 1 }, { "unit price": "x" }] }, schema)).toEqual([
    { path: "$.orders[1].id", message: "is missing" },
    { path: '$.orders[1]["unit price"]', message: "must be a number" },
  ]);
});

test("[S29] hostile schemas end: endless references, exponential patterns, wide combinations", () => {
  expect(checkSchema(1, { $ref: "#" })).not.toEqual([]);
  expect(checkSchema("a".repeat(50_000), { pattern: "^(a+)+$b" })).not.toEqual([]);
  const wide = {
    $defs: { a: { anyOf: Array.from({ length: 10 }, () => ({ $ref: "#/$defs/a" })) } },
    $ref: "#/$defs/a",
  };
  expect(checkSchema(1, wide)).not.toEqual([]);
  expect(checkSchema({}, { $ref: "https://example.com/schema.json" })).toMatchObject([
    { message: expect.stringContaining("could not be checked") },
  ]);
  expect(checkSchema("x", { pattern: "(?=x)" })).toEqual([]);
});

test("[S29] a rule that takes too long is not checked, and the others are", () => {
  const costly = { pattern: "(a|b|ab){1,500}c" };
  expect(checkSchema("a", costly)).not.toEqual([]);
  expect(checkSchema("a".repeat(100_000), costly)).toEqual([]);
  expect(checkSchema("a".repeat(100_000), { allOf: [costly, { pattern: "b" }] })).toHaveLength(1);
  expect(checkSchema("a".repeat(6_000_000), { maxLength: 10 })).toHaveLength(1);
});

test("keys of the prototype are neither required fields nor rules", () => {
  expect(checkSchema({}, { required: ["constructor"] })).not.toEqual([]);
  expect(checkSchema({}, { $ref: "#/constructor" })).not.toEqual([]);
});
