import { expect, test } from "vitest";
import { answerFields, answerKinds, withAnswerFields } from "./answer-schema.ts";

test("the fields of an answer are edited as a list, and what the list does not show stays", () => {
  const schema = {
    type: "object",
    properties: {
      category: { type: "string", enum: ["bug", "question"] },
      parts: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    },
    required: ["category"],
    additionalProperties: false,
  };
  const fields = answerFields(schema)!;
  expect(fields.map(({ name, required }) => [name, required])).toEqual([
    ["category", true],
    ["parts", false],
  ]);
  expect(withAnswerFields(schema, fields)).toEqual(schema);
  expect(withAnswerFields(schema, [])).toBeUndefined();
  expect(answerFields(undefined)).toEqual([]);
});

test.each([
  "{{input.schema}}",
  null,
  [],
  { type: "array", items: { type: "string" } },
  { type: "object", anyOf: [] },
  { type: "array" },
  { type: "object", properties: [] },
  { type: "object", required: "a" },
  { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] },
  { type: "object", properties: { a: true } },
  { type: "object", properties: { a: null } },
  { type: "object", properties: { a: { type: "number", enum: [1, 2] } } },
  { type: "object", properties: { a: { type: "string", enum: "x" } } },
  { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
  { type: "object", properties: { a: { type: ["string", "null"] } } },
  { type: "object", properties: { a: { type: "string", format: "uuid" } } },
])("a schema that a list of fields cannot show is edited as JSON: %j", (schema) => {
  expect(answerFields(schema)).toBeUndefined();
});

test("a model is not asked for files, nor for text of several lines", () => {
  const kinds = answerKinds.map(({ value }) => value);
  expect(kinds).toContain("text");
  expect(kinds).not.toContain("file");
  expect(kinds).not.toContain("multiline");
});
