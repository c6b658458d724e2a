import { expect, test } from "vitest";
import { step } from "../testing/import-nodes.ts";

const set = (assignments: object[], more: object = {}) =>
  step({
    type: "set",
    typeVersion: 3.4,
    parameters: { assignments: { assignments }, ...more },
  }).step["template"];

test("fields have the types that the file names", () => {
  expect(
    set([
      { name: "n", type: "number", value: "5" },
      { name: "b", type: "boolean", value: "true" },
      { name: "l", type: "array", value: "[1]" },
      { name: "s", type: "string", value: "=id {{ $json.id }}" },
      { name: "t", type: "string", value: "={{ $json.name.trim() }}" },
      { name: "x", type: "number", value: "={{ $json.n }}" },
    ]),
  ).toEqual({
    n: 5,
    b: true,
    l: [1],
    s: "id {{steps.get-row.output.id}}",
    t: '{{= steps["get-row"].output?.name?.trim() }}',
    x: '{{= ((value) => { if (value === null) return null; if (!Number.isNaN(Number(value))) return Number(value); throw new TypeError("x: the value is not of type number."); })(steps["get-row"].output?.n ?? null) }}',
  });
});

test.each([
  ["number", "", 0],
  ["number", "abc", undefined],
  ["boolean", "1", true],
  ["boolean", "FALSE", false],
  ["boolean", "yes", undefined],
  ["array", "['a']", ["a"]],
  ["array", '{"a":1}', undefined],
  ["object", '{"a":1}', { a: 1 }],
  ["object", "[1]", undefined],
])("the %s %j is converted, or is to check where n8n fails", (type, value, expected) => {
  const parameters = { assignments: { assignments: [{ name: "a", type, value }] } };
  const { step: found, report } = step({ type: "set", typeVersion: 3.4, parameters });
  expect(found["template"]).toEqual({ a: expected ?? value });
  expect(report.result).toBe(expected === undefined ? "check" : "ready");
  const ignoring = { ...parameters, options: { ignoreConversionErrors: true } };
  expect(step({ type: "set", typeVersion: 3.4, parameters: ignoring }).report.result).toBe("ready");
});

test("a value that begins with = and has no expression is the text after it, however many there are", () => {
  const value = `${"=".repeat(50_000)}a`;
  expect(set([{ name: "a", type: "string", value }])).toEqual({ a: "a" });
});

test("a field with a dot changes the object that arrives", () => {
  const kept = set([{ name: "a.b", type: "number", value: 1 }], { includeOtherFields: true });
  expect(kept).toBe(
    '{{= ({ ...steps["get-row"].output, a: { ...steps["get-row"].output?.["a"], b: 1 } }) }}',
  );
});
