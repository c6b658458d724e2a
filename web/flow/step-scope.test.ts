import { describe, expect, test } from "vitest";
import { findChips } from "./chips.ts";
import type { Draft } from "./draft.ts";
import { referenceProblem } from "./reference-problems.ts";
import { expressionCall, missingSources, resolvedValue } from "./resolved-value.ts";
import { firstItem } from "./loop-sample.ts";
import { matchingOptions, type ScopeData, scopeOptions, stepScope } from "./step-scope.ts";

const draft: Draft = {
  name: "Refunds",
  description: "",
  steps: [
    { stepId: "get-order", type: "http", name: "Get order" },
    {
      stepId: "each",
      type: "foreach",
      name: "For each line",
      steps: [
        { stepId: "fetch", type: "http", name: "Check return" },
        { stepId: "rate", type: "llm", name: "Rate" },
      ],
    },
    { stepId: "refund", type: "http", name: "Refund payment" },
  ],
  edges: [
    { source: "get-order", target: "each" },
    { source: "each", target: "refund" },
  ],
};

const data: ScopeData = {
  input: { order_id: 7 },
  hasRun: true,
  outputs: new Map<string, unknown>([["get-order", { total: 128.4, customer: { email: "a@b.example" } }]]),
  variables: [
    { name: "shop", secret: false, value: "north" },
    { name: "token", secret: true },
  ],
  workflow: { id: "wf_1", name: "Refunds" },
};

const paths = (stepId: string, more: Partial<ScopeData> = {}): string[] =>
  stepScope(draft, stepId, { ...data, ...more }).sources.map(({ path }) => path);
const problem = (text: string, stepId = "refund") => {
  const [chip] = findChips(text);
  return referenceProblem(chip!.reference, stepScope(draft, stepId, data));
};

describe("the values of a step", () => {
  test("are those of the steps before it, nearest first, then the input and the variables", () => {
    expect(paths("refund").slice(0, 5)).toEqual([
      "steps.each.output",
      "steps.get-order.output",
      "input",
      "vars.shop",
      "secrets.token",
    ]);
  });

  test("inside a loop begin with the item, and reach the steps around the loop", () => {
    expect(paths("each/rate", { item: { value: { sku: "A" }, index: 1 } }).slice(0, 4)).toEqual([
      "item",
      "steps.fetch.output",
      "steps.get-order.output",
      "input",
    ]);
    expect(paths("each/rate")).toContain("index");
    expect(paths("refund")).not.toContain("item");
  });

  test("are offered in words with their samples, and a secret stays masked", () => {
    const options = scopeOptions(stepScope(draft, "refund", data));
    expect(options.find(({ path }) => path === "steps.get-order.output.customer.email")).toEqual({
      path: "steps.get-order.output.customer.email",
      label: "Get order › customer.email",
      sample: "a@b.example",
      hasSample: true,
    });
    expect(options.find(({ path }) => path === "secrets.token")?.sample).toBe("•••");
    expect(options.find(({ path }) => path === "steps.each.output")?.hasSample).toBe(false);
  });

  test("are found by any part of their words, the last part first", () => {
    const options = scopeOptions(stepScope(draft, "refund", data));
    expect(matchingOptions(options, "em")[0]?.label).toBe("Get order › customer.email");
    expect(matchingOptions(options, "get order")[0]?.path).toBe("steps.get-order.output");
    expect(matchingOptions(options, "no such thing")).toEqual([]);
  });
});

describe("an unknown reference", () => {
  test.each([
    ["{{steps.get-ordr.output.total}}", "steps.get-order.output.total"],
    ["{{get-order.total}}", "steps.get-order.output.total"],
    ["{{steps.get-order.output.totl}}", "steps.get-order.output.total"],
    ["{{vars.shp}}", "vars.shop"],
    ["{{each.rows}}", "steps.each.output.rows"],
    ["{{inputs.order_id}}", "input.order_id"],
  ])("%s suggests %s", (text, path) => {
    expect(problem(text)?.suggestion?.path).toBe(path);
  });

  test("to a step after this one is a problem, and to a step before it is not", () => {
    expect(problem("{{steps.refund.output}}", "get-order")?.message).toContain("No step before this one");
    expect(problem("{{steps.get-order.output.total}}")).toBeUndefined();
    expect(problem("{{steps.each.output.anything}}")).toBeUndefined();
    expect(problem("{{steps.get-order.status}}")).toBeUndefined();
  });

  test("to an item is a problem outside a loop only", () => {
    expect(problem("{{item.sku}}")).toBeDefined();
    expect(problem("{{item.sku}}", "each/rate")).toBeUndefined();
  });

  test("without anything similar has no suggestion", () => {
    expect(problem("{{steps.completely-different.output}}")).toMatchObject({ suggestion: undefined });
  });

  test("to a variable is not reported while the variables are loading", () => {
    const [chip] = findChips("{{vars.nothing}}");
    const scope = stepScope(draft, "refund", { ...data, variables: undefined });
    expect(referenceProblem(chip!.reference, scope)).toBeUndefined();
  });
});

describe("the resolved value of a field", () => {
  const scope = stepScope(draft, "refund", data);

  test.each([
    ["{{steps.get-order.output.total}}", 128.4],
    ["Order {{input.order_id}} in {{vars.shop}}", "Order 7 in north"],
    ["Bearer {{secrets.token}}", "Bearer •••"],
  ])("%s is %j", (text, value) => {
    expect(resolvedValue(text, scope)).toEqual({ value });
  });

  test("is unknown without placeholders, without data, and for times", () => {
    for (const text of ["plain", "{{steps.each.output}}", "{{now}}"])
      expect(resolvedValue(text, scope)).toBeUndefined();
  });

  test("an expression is resolved once it has a value, beside placeholders", () => {
    const text = "{{input.order_id}}: {{= steps['get-order'].output.total * 2 }}";
    expect(resolvedValue(text, scope)).toBeUndefined();
    const { expressions, values } = JSON.parse(expressionCall(text, scope)!);
    expect(expressions).toEqual(["steps['get-order'].output.total * 2"]);
    expect(Object.keys(values.steps)).toEqual(["get-order"]);
    expect(values).not.toHaveProperty("vars");
    expect(resolvedValue(text, scope, { [expressions[0]]: 256.8 })).toEqual({ value: "7: 256.8" });
  });

  test("no expression is sent without its data, without one, or with secrets", () => {
    expect(expressionCall("{{= steps.each.output[0] }}", scope)).toBeUndefined();
    expect(expressionCall("{{input.order_id}}", scope)).toBeUndefined();
    expect(expressionCall("{{= vars.shop + input.order_id }}", scope)).not.toContain("•••");
    const large = stepScope(draft, "refund", {
      ...data,
      outputs: new Map([["get-order", "x".repeat(600_000)]]),
    });
    expect(expressionCall("{{= steps['get-order'].output.length }}", large)).toBeUndefined();
  });

  test("the sources without data are listed by name", () => {
    expect(
      missingSources({ a: "{{steps.each.output[0]}}", b: "{{input}}" }, scope).map(({ title }) => title),
    ).toEqual(["For each line"]);
  });
});

test("declared input fields are offered before a run, and beside the values of one", () => {
  const declared: Draft = {
    ...draft,
    inputSchema: {
      type: "object",
      properties: { order_id: { type: "string" }, "due date": { type: "string" } },
    },
  };
  const inputs = (more: Partial<ScopeData>) =>
    scopeOptions(stepScope(declared, "refund", { ...data, ...more }))
      .filter(({ path }) => path.startsWith("input"))
      .map(({ path, hasSample }) => [path, hasSample]);
  expect(inputs({ hasRun: false, input: undefined })).toEqual([
    ["input", false],
    ["input.order_id", false],
    ['input["due date"]', false],
  ]);
  expect(inputs({})).toEqual([
    ["input", true],
    ["input.order_id", true],
    ['input["due date"]', false],
  ]);
});

test("before a loop has run, its item is the first of the list that is known", () => {
  const loop = (items: unknown): Draft => ({
    ...draft,
    steps: draft.steps.map((step) => (step.stepId === "each" ? { ...step, items } : step)),
  });
  const known = { ...data, outputs: new Map([["get-order", { lines: [{ sku: "A1" }, { sku: "B2" }] }]]) };
  const items = "{{steps.get-order.output.lines}}";
  expect(firstItem(loop(items), "each/rate", known)).toEqual({ value: { sku: "A1" }, index: 0 });
  expect(firstItem(loop(items), "each/rate", { ...data, outputs: new Map() })).toBeUndefined();
  expect(firstItem(loop([7, 8]), "each/rate", data)).toEqual({ value: 7, index: 0 });
  expect(firstItem(loop(items), "refund", known)).toBeUndefined();
});
