import { expect, test } from "vitest";
import { renameReferences } from "./references.ts";

const newIds = new Map([
  ["Fetch", "fetch"],
  ["FetchOrders", "fetch-orders"],
  ["a", "b"],
  ["b", "c"],
  ["same", "same"],
]);

test.each([
  ["return steps.Fetch.output", "return steps.fetch.output"],
  [
    "return steps['Fetch'].output + steps[\"Fetch\"].output",
    "return steps.fetch.output + steps.fetch.output",
  ],
  // An id that is not a name in JavaScript is written in brackets.
  ["return steps.FetchOrders.output", 'return steps["fetch-orders"].output'],
  // A longer name that begins with the id is another step, or none.
  ["return steps.Fetching.output + mysteps.Fetch", "return steps.Fetching.output + mysteps.Fetch"],
  // Each reference is renamed once, although b is the new name of a and the old name of c.
  ["return steps.a.output + steps.b.output", "return steps.b.output + steps.c.output"],
  ["return steps['same'].output", "return steps['same'].output"],
])("the code %j follows the new ids", (code, renamed) => {
  expect(renameReferences({ code }, newIds)).toEqual({ code: renamed });
});

test("expressions in placeholders follow the new ids, and stay as they are otherwise", () => {
  expect(
    renameReferences(
      ["{{= steps.FetchOrders.output.length * 2 }} {{Fetch.output}}", "{{= ({ n: steps.a.output }) }}"],
      newIds,
    ),
  ).toEqual([
    '{{= steps["fetch-orders"].output.length * 2 }} {{steps.fetch.output}}',
    "{{= ({ n: steps.b.output }) }}",
  ]);
  expect(renameReferences("{{= { n: steps.a.output }}}", newIds)).toBe("{{= { n: steps.b.output }}}");
});

test("a JSONata expression is renamed once, with backticks where they are needed", () => {
  expect(
    renameReferences({ expression: "steps.a.output & steps.`b`.output & steps.FetchOrders.output" }, newIds),
  ).toEqual({
    expression: "steps.b.output & steps.c.output & steps.`fetch-orders`.output",
  });
});
