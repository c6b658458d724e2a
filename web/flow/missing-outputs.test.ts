import { expect, test } from "vitest";
import { outputsMissingFor } from "./missing-outputs.ts";

const steps = [
  { stepId: "orders", type: "http" },
  { stepId: "large", type: "data", items: "{{steps.orders.output.rows}}" },
  {
    stepId: "each",
    type: "foreach",
    items: [1],
    steps: [{ stepId: "in", type: "transform", template: "{{steps.large.output}}" }],
  },
];

test("an output that a step reads is missing until a run, a sample or the run itself provides it", () => {
  expect(outputsMissingFor({ steps }, ["large"], new Map())).toEqual([{ reader: "large", source: "orders" }]);
  expect(outputsMissingFor({ steps }, ["large"], new Map([["orders", null]]))).toEqual([]);
  expect(outputsMissingFor({ steps }, ["orders", "large"], new Map())).toEqual([]);
});

test("steps inside a loop read outputs for the loop", () => {
  expect(outputsMissingFor({ steps }, ["each"], new Map())).toEqual([{ reader: "each", source: "large" }]);
});
