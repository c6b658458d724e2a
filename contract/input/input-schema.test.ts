import { describe, expect, test } from "vitest";
import { validateGraph } from "../graph/validate.ts";
import { checkInput } from "./check-input.ts";
import type { InputField, InputSchema } from "./input-field.ts";
import { inputSchemaProblems } from "./input-schema.ts";

const schemaOf = (properties: Record<string, unknown>, more: object = {}) => ({
  type: "object",
  properties,
  ...more,
});
const check = (field: InputField, value: unknown) =>
  checkInput({ type: "object", properties: { value: field } }, { value } as never).problems?.["value"];

describe("an input schema", () => {
  test("with every supported keyword has no problems", () => {
    const schema = schemaOf(
      {
        name: { type: "string", title: "Name", description: "In full", minLength: 1, maxLength: 50 },
        mail: { type: "string", format: "email", default: "ada@example.com" },
        reason: { type: "string", enum: ["damaged", "late"], default: "late" },
        amount: { type: "number", minimum: 0, maximum: 10.5 },
        count: { type: "integer", enum: [1, 2] },
        urgent: { type: "boolean", default: false },
        tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
        address: schemaOf({ city: { type: "string" } }, { required: ["city"], additionalProperties: false }),
      },
      { required: ["name"], additionalProperties: true },
    );
    expect(inputSchemaProblems(schema)).toEqual([]);
  });

  test.each([
    ["a text", "text", 'must be an object with "type": "object"'],
    ["another type", { type: "array" }, 'must be an object with "type": "object"'],
    ["a field without a type", schemaOf({ a: {} }), 'The input field "a" needs a type'],
    ["a field that is no object", schemaOf({ a: 1 }), 'The input field "a" must be an object'],
    ["an unsupported keyword", schemaOf({ a: { type: "string", pattern: "^a+$" } }), 'uses "pattern"'],
    ["a keyword of another type", schemaOf({ a: { type: "number", maxLength: 1 } }), 'uses "maxLength"'],
    ["an unknown format", schemaOf({ a: { type: "string", format: "ipv4" } }), "as format: email"],
    ["a choice of another type", schemaOf({ a: { type: "number", enum: ["1"] } }), "choices of its type"],
    ["no choices", schemaOf({ a: { type: "string", enum: [] } }), "choices of its type"],
    ["a wrong default", schemaOf({ a: { type: "integer", default: 1.5 } }), "must be a whole number"],
    ["a negative length", schemaOf({ a: { type: "string", minLength: -1 } }), "as minLength"],
    ["a text as limit", schemaOf({ a: { type: "number", minimum: "1" } }), "a number as minimum"],
    ["a title that is no text", schemaOf({ a: { type: "string", title: 1 } }), "a text as title"],
    ["an unknown required field", schemaOf({}, { required: ["a"] }), 'requires "a"'],
    ["required that is no list", schemaOf({}, { required: "a" }), "as required"],
    ["a rule for other fields", schemaOf({}, { additionalProperties: {} }), "as additionalProperties"],
    ["properties that are no object", schemaOf([] as never), "as properties"],
    ["a field without a name", schemaOf({ "": { type: "string" } }), "invalid name"],
    ["wrong items", schemaOf({ a: { type: "array", items: {} } }), "The items of"],
    [
      "too many fields",
      schemaOf(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, { type: "string" }]))),
      "at most 200 fields",
    ],
  ])("with %s is a problem of the graph", (_case, inputSchema, message) => {
    const { valid, errors } = validateGraph({ steps: [], edges: [], inputSchema });
    expect(valid).toBe(false);
    expect(errors[0]).toMatchObject({ code: "invalid_field", message: expect.stringContaining(message) });
  });

  test("that is nested too deeply is a problem, not an overflow", () => {
    let deep: object = { type: "string" };
    for (let i = 0; i < 5000; i++) deep = schemaOf({ a: deep });
    expect(inputSchemaProblems(deep)).toEqual([expect.stringContaining("nested too deeply")]);
  });
});

describe("an input", () => {
  test.each<[InputField, unknown, string | undefined]>([
    [{ type: "string" }, 1, "value must be text."],
    [{ type: "string", title: "Full name" }, null, "Full name must be text."],
    [{ type: "number" }, "1", "value must be a number."],
    [{ type: "integer" }, 1.5, "value must be a whole number."],
    [{ type: "boolean" }, "true", "value must be true or false."],
    [{ type: "array" }, {}, "value must be a list."],
    [{ type: "object" }, [], "value must be an object."],
    [{ type: "string", enum: ["a", "b"] }, "c", "value must be one of: a, b."],
    [{ type: "string", enum: ["a", "b"] }, "b", undefined],
    [{ type: "string", minLength: 2 }, "a", "value must have at least 2 characters."],
    [{ type: "string", maxLength: 1 }, "😀", undefined],
    [{ type: "string", maxLength: 1 }, "ab", "value must have at most 1 character."],
    [{ type: "number", minimum: 1 }, 0, "value must be at least 1."],
    [{ type: "number", maximum: 1 }, 2, "value must be at most 1."],
    [{ type: "array", minItems: 1 }, [], "value must have at least 1 item."],
    [{ type: "array", maxItems: 1 }, [1, 2], "value must have at most 1 item."],
    [{ type: "string", format: "email" }, "ada@example.com", undefined],
    [{ type: "string", format: "email" }, "ada@example", "value must be an email address."],
    [{ type: "string", format: "date" }, "2028-02-29", undefined],
    [{ type: "string", format: "date" }, "2026-02-30", "value must be a date such as 2026-01-31."],
    [{ type: "string", format: "date-time" }, "2026-01-31T09:30:00+02:00", undefined],
    [
      { type: "string", format: "date-time" },
      "2026-01-31 09:30",
      "value must be a time such as 2026-01-31T09:30:00Z.",
    ],
    [{ type: "string", format: "uri" }, "https://example.com/a?b", undefined],
    [{ type: "string", format: "uri" }, "example.com", "value must be a URL such as https://example.com."],
  ])("%j and %j: %s", (field, value, expected) => {
    expect(check(field, value)).toBe(expected);
  });

  test("gets the defaults of missing fields, also inside objects, and keeps what the schema does not name", () => {
    const schema: InputSchema = {
      type: "object",
      properties: {
        size: { type: "integer", default: 3 },
        kept: { type: "integer", default: 3 },
        address: { type: "object", properties: { country: { type: "string", default: "DE" } } },
      },
    };
    const given = { kept: 1, other: true, address: {} };
    expect(checkInput(schema, given)).toEqual({
      input: { size: 3, kept: 1, other: true, address: { country: "DE" } },
      problems: undefined,
    });
    expect(given).toEqual({ kept: 1, other: true, address: {} });
  });

  test("is checked in objects and lists, and named by its path", () => {
    const schema: InputSchema = {
      type: "object",
      properties: {
        address: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false,
        },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["address"],
    };
    expect(checkInput(schema, { address: { zip: 1 }, tags: ["a", 2] }).problems).toEqual({
      "address.city": "address.city is required.",
      "address.zip": "address.zip is not a field of this workflow.",
      "tags[1]": "tags[1] must be text.",
    });
    expect(checkInput(schema, {}).problems).toEqual({ address: "address is required." });
    expect(checkInput(schema, "text").problems).toEqual({ "": "The input must be an object." });
  });

  test("with hostile names changes no prototype", () => {
    const schema: InputSchema = { type: "object", additionalProperties: false };
    const hostile = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as Record<string, never>;
    const { input, problems } = checkInput(schema, hostile);
    expect(Object.keys(problems ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});
