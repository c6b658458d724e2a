import { expect, test } from "vitest";
import { schemaFields } from "./schema-fields.ts";

test("each property of a tool's schema becomes a field with its words", () => {
  const fields = schemaFields({
    type: "object",
    required: ["query"],
    properties: {
      query: { type: "string", title: "Search text", description: "What to look for" },
      state: { type: "string", enum: ["open", "closed"], default: "open" },
      limit: { type: "integer" },
      labels: { type: "array" },
    },
  });
  expect(fields?.map(({ name, label, kind, required }) => [name, label, kind, required])).toEqual([
    ["query", "Search text", "text", true],
    ["state", "state (optional)", "choice", false],
    ["limit", "limit (optional)", "value", false],
    ["labels", "labels (optional)", "value", false],
  ]);
  expect(fields?.[0]?.hint).toBe("What to look for");
  expect(fields?.[1]).toMatchObject({ example: '"open"', options: [{ value: "open" }, { value: "closed" }] });
});

test("a schema that a form cannot show is left to JSON", () => {
  for (const schema of [
    {},
    { type: "object" },
    { type: "object", properties: {} },
    { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] },
    { type: "object", properties: { a: {} }, additionalProperties: { type: "string" } },
    { type: "object", properties: Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`p${n}`, {}])) },
  ])
    expect(schemaFields(schema)).toBeUndefined();
  // Data of strangers: odd values are no reason to fail.
  expect(schemaFields({ properties: { a: null, b: 1 }, required: "a" })).toHaveLength(2);
});
