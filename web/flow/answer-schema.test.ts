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
  { type: "array", items: { type: "string" } },
  { type: "object", anyOf: [] },
  { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
  { type: "object", properties: { a: { type: ["string", "null"] } } },
  { type: "object", properties: { a: { type: "string", format: "uuid" } } },
])("a schema that a list of fields cannot show is edited as JSON: %j", (schema) => {
  expect(answerFields(schema)).toBeUndefined();
});

test("a model is not asked for files", () => {
  expect(answerKinds.map(({ value }) => value)).not.toContain("file");
});
