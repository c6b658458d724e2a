import { expect, test } from "vitest";
import type { InputField, InputSchema } from "../../contract/input/input-field.ts";
import { controlOf, inputOf, labelOf, valuesOf } from "./input-values.ts";

const schema: InputSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    amount: { type: "number" },
    size: { type: "integer", enum: [1, 2] },
    urgent: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    more: { type: "object" },
    at: { type: "string", format: "date-time" },
    reason: { type: "string", default: "late" },
  },
  required: ["name"],
};

test.each<[InputField, string]>([
  [{ type: "string" }, "text"],
  [{ type: "string", format: "multiline" }, "multiline"],
  [{ type: "string", format: "email" }, "email"],
  [{ type: "string", format: "uri" }, "url"],
  [{ type: "string", format: "date" }, "date"],
  [{ type: "string", format: "date-time" }, "time"],
  [{ type: "string", enum: ["a"] }, "choice"],
  [{ type: "integer" }, "number"],
  [{ type: "boolean" }, "yes-no"],
  [{ type: "array" }, "list"],
  [{ type: "array", items: { type: "number" } }, "json"],
  [{ type: "object" }, "json"],
])("%j is a control for %s", (field, control) => {
  expect(controlOf(field)).toBe(control);
});

test("fields become input of their types, and empty ones are left out", () => {
  const values = {
    name: "Ada",
    amount: "1.5",
    size: "2",
    urgent: true,
    tags: "a\n\n b ",
    more: '{"x": 1}',
    at: "",
    reason: "",
  };
  expect(inputOf(schema, values)).toEqual({
    input: { name: "Ada", amount: 1.5, size: 2, urgent: true, tags: ["a", "b"], more: { x: 1 } },
    problems: {},
  });
});

test("an input fills the fields, defaults fill the rest, and both give the same input again", () => {
  const input = {
    name: "Ada",
    amount: 1.5,
    size: 2,
    urgent: false,
    tags: ["a", "b"],
    more: { x: 1 },
    at: "2026-01-31T09:30:00.000Z",
  };
  const values = valuesOf(schema, input);
  expect(values).toMatchObject({ name: "Ada", amount: "1.5", tags: "a\nb", reason: "late" });
  expect(inputOf(schema, values).input).toEqual({ ...input, reason: "late" });
});

test("problems name the field by its label", () => {
  const { problems } = inputOf(schema, { name: "", amount: "many", more: "{" });
  expect(problems).toEqual({
    name: "Name is required.",
    amount: "Amount must be a number.",
    more: "More is not valid JSON.",
  });
});

test("a label is the title, or the name in words", () => {
  expect(labelOf("order_id", { type: "string" })).toBe("Order id");
  expect(labelOf("order_id", { type: "string", title: "Order number" })).toBe("Order number");
});
