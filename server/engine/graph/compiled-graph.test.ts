import { expect, test } from "vitest";
import { compileGraph } from "./compiled-graph.ts";
import { compiledOf } from "../testing/sample-graph.ts";

test("a compiled step has its references and the defaults of its settings", () => {
  const graph = compiledOf(
    [
      "a",
      {
        stepId: "b",
        type: "http",
        method: "GET",
        url: "{{vars.host}}/{{secrets.key}}/{{secrets.key}}/{{steps.a.output}}",
      },
    ],
    ["a>b"],
  );
  expect(graph.steps.get("b")).toMatchObject({
    refersTo: ["a"],
    vars: ["host"],
    secrets: ["key"],
    join: "all",
    racesTo: [],
    maxRetries: 0,
    backoffMultiplier: 2,
    timeoutMs: undefined,
    continueOnError: false,
    pure: false,
    inner: undefined,
  });
  expect(graph.readers).toEqual(new Map([["a", ["b"]]]));
  expect(graph.secrets).toEqual(["key"]);
});

test("a compiled step keeps the settings of the graph", () => {
  const step = {
    stepId: "a",
    type: "transform",
    template: 1,
    join: "any",
    maxRetries: 3,
    backoffMultiplier: 5,
    timeoutMs: 70,
    onError: "continue",
  };
  expect(compiledOf([step]).steps.get("a")).toMatchObject({
    join: "any",
    maxRetries: 3,
    backoffMultiplier: 5,
    timeoutMs: 70,
    continueOnError: true,
  });
});

test("a step is pure by its type and fields", () => {
  const graph = compiledOf([
    "a",
    { stepId: "b", type: "transform", expression: "1" },
    { stepId: "c", type: "condition", left: 1, operator: "eq", right: 1 },
    { stepId: "d", type: "switch", value: 1 },
    { stepId: "e", type: "transform", template: 1, expression: null },
    { stepId: "f", type: "agent_call", input: "x", capability: "y" },
    { stepId: "g", type: "no_such_type" },
  ]);
  expect([...graph.steps.values()].filter(({ pure }) => pure).map(({ id }) => id)).toEqual([
    "a",
    "c",
    "d",
    "e",
  ]);
  expect(graph.steps.get("f")!.type).toBe("agent");
  expect(graph.steps.get("g")!.type).toBe("no_such_type");
});

test("a foreach has an inner graph, whose secrets belong to the whole graph", () => {
  const steps = [{ stepId: "x", type: "transform", template: "{{secrets.inner}}{{steps.a.output}}" }];
  const graph = compiledOf(
    [
      "a",
      { stepId: "each", type: "foreach", items: [], steps },
      { stepId: "calls", type: "foreach", items: [], workflowId: "w" },
    ],
    ["a>each"],
  );
  expect([...graph.steps.get("each")!.inner!.steps.keys()]).toEqual(["x"]);
  expect(graph.steps.get("each")!.refersTo).toEqual(["a"]);
  expect(graph.steps.get("calls")!.inner).toBeUndefined();
  expect(graph.secrets).toEqual(["inner"]);
});

test("a step knows the steps that wait for it without an edge", () => {
  const reader = (stepId: string) => ({ stepId, type: "transform", template: "{{steps.b.output}}" });
  const graph = compiledOf(["a", "b", reader("r"), reader("s")], ["a>r", "a>s"]);
  expect(graph.waiters.get("b")!.toSorted()).toEqual(["r", "s"]);
});

test.each([
  [
    "transforms and branches",
    [
      { stepId: "a", type: "transform", template: 1 },
      { stepId: "b", type: "condition" },
    ],
    true,
  ],
  ["a pattern, which may take long", [{ stepId: "a", type: "condition", operator: "matches" }], false],
  ["a call", [{ stepId: "a", type: "http", url: "x" }], false],
  [
    "a step that may be tried again later",
    [{ stepId: "a", type: "transform", template: 1, maxRetries: 1 }],
    false,
  ],
  ["an expression, which has a time limit", [{ stepId: "a", type: "transform", expression: "1" }], false],
  ["as many steps as go into one write", chainOf(25), true],
  ["more than that", chainOf(26), false],
])("%s: whether the graph only computes", (_what, steps, expected) => {
  expect(compileGraph({ steps, edges: [] }).onlyComputes).toBe(expected);
});

function chainOf(length: number): { stepId: string; type: string; template: number }[] {
  return Array.from({ length }, (_, n) => ({ stepId: `s${n}`, type: "transform", template: n }));
}
