import { expect, test } from "vitest";
import { checkInput } from "../../contract/input/check-input.ts";
import { inputSchemaProblems } from "../../contract/input/input-schema.ts";
import {
  asKind,
  describeField,
  fieldKinds,
  fieldsOf,
  freeFieldName,
  kindOf,
  learnFields,
  moveField,
  sampleInput,
  withFields,
} from "./input-schema-edit.ts";

const order = { name: "order_id", field: { type: "string" as const }, required: true };
const reason = { name: "reason", field: { type: "string" as const, enum: ["a", "b"] }, required: false };

test("fields become a schema and back, in their order", () => {
  const schema = withFields(undefined, [order, reason]);
  expect(schema).toEqual({
    type: "object",
    properties: { order_id: { type: "string" }, reason: { type: "string", enum: ["a", "b"] } },
    required: ["order_id"],
  });
  expect(fieldsOf(schema)).toEqual([order, reason]);
  expect(fieldsOf(withFields(schema, moveField([order, reason], 1, 0))).map(({ name }) => name)).toEqual([
    "reason",
    "order_id",
  ]);
  expect(withFields(schema, [])).toBeUndefined();
});

test("a list of objects has a sample of its items", () => {
  const items = { type: "object" as const, properties: { sku: { type: "string" as const } } };
  const schema = { type: "object" as const, properties: { rows: { type: "array" as const, items } } };
  expect(sampleInput(schema)).toEqual({ rows: [{ sku: "text" }] });
});

test("every kind makes a valid field that is the same kind again, with a sample that fits", () => {
  for (const { value } of fieldKinds) {
    const field = asKind({ type: "string", title: "A" }, value);
    expect([value, kindOf(field), field.title]).toEqual([value, value, "A"]);
    const schema = withFields(undefined, [{ name: "a", field, required: true }])!;
    expect(inputSchemaProblems(schema)).toEqual([]);
    expect(checkInput(schema, sampleInput(schema)).problems).toBeUndefined();
  }
});

test("fields are learned from an input, and known ones stay", () => {
  const learned = learnFields([order], {
    order_id: 5,
    email: "ada@example.com",
    day: "2026-01-31",
    total: 1.5,
    count: 2,
    paid: true,
    tags: ["a"],
    lines: [{ a: 1 }],
    address: {},
    page: "https://example.com",
    text: "two\nlines",
    nothing: null,
  });
  expect(learned.map(({ name, field }) => [name, kindOf(field)])).toEqual([
    ["order_id", "text"],
    ["email", "email"],
    ["day", "date"],
    ["total", "number"],
    ["count", "integer"],
    ["paid", "boolean"],
    ["tags", "array"],
    ["lines", "array"],
    ["address", "object"],
    ["page", "uri"],
    ["text", "multiline"],
    ["nothing", "text"],
  ]);
  expect(inputSchemaProblems(withFields(undefined, learned))).toEqual([]);
  expect(learnFields([order], "text")).toEqual([order]);
});

test("names stay unique, and types are described in words", () => {
  expect(freeFieldName([order, { ...order, name: "field" }])).toBe("field_2");
  expect([order, reason].map(({ field }) => describeField(field))).toEqual(["text", "2 choices"]);
});
