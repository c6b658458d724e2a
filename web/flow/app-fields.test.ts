import { expect, test } from "vitest";
import type { AppField } from "../../contract/apps.ts";
import { appFormField, asFieldValue, optionsInput, shownAppFields } from "./app-fields.ts";

const field = (more: Partial<AppField>): AppField => ({ type: "string", title: "Field", ...more });

test("a field of an action becomes the control of its type", () => {
  const kindOf = (more: Partial<AppField>) => appFormField("x", field(more)).kind;
  expect(kindOf({})).toBe("text");
  expect(kindOf({ enum: ["a", "b"] })).toBe("choice");
  expect(kindOf({ type: "boolean" })).toBe("choice");
  expect(kindOf({ type: "integer" })).toBe("value");
  expect(kindOf({ type: "object" })).toBe("record");
  expect(kindOf({ type: "object", properties: {} })).toBe("value");
  expect(appFormField("x", field({ format: "multiline" })).long).toBe(true);
});

test("a typed yes or number is stored as its type, a placeholder as it is", () => {
  expect(asFieldValue(field({ type: "boolean" }), "true")).toBe(true);
  expect(asFieldValue(field({ type: "integer" }), "12")).toBe(12);
  expect(asFieldValue(field({ type: "integer" }), "{{input.n}}")).toBe("{{input.n}}");
  expect(asFieldValue(field({}), "12")).toBe("12");
});

test("advanced fields are offered until they have a value or are asked for", () => {
  const fields = { channel: field({}), thread: field({ advanced: true }), blocks: field({ advanced: true }) };
  const { shown, addable } = shownAppFields(fields, { thread: "1" }, new Set());
  expect(shown.map(([name]) => name)).toEqual(["channel", "thread"]);
  expect(addable.map(([name]) => name)).toEqual(["blocks"]);
  expect(shownAppFields(fields, {}, new Set(["blocks"])).addable.map(([name]) => name)).toEqual(["thread"]);
});

test("options wait for the values that they depend on; a placeholder has none yet", () => {
  const table = field({ options: "tables", dependsOn: ["base"] });
  expect(optionsInput(table, {})).toBeUndefined();
  expect(optionsInput(table, { base: "{{input.base}}" })).toBeUndefined();
  expect(optionsInput(table, { base: "app1", other: 1 })).toEqual({ base: "app1" });
  expect(optionsInput(field({ options: "bases" }), {})).toEqual({});
});
