import { expect, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { compiledOf, graphOf } from "../testing/sample-graph.ts";
import { compileGraph } from "./compiled-graph.ts";

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
    "a call beside a transform",
    [
      { stepId: "a", type: "transform", template: 1 },
      { stepId: "b", type: "http", url: "x" },
    ],
    false,
  ],
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

test("a graph reads the request when a step, an inner step or the check of a loop does", () => {
  const readsRequest = (...steps: Step[]) => compiledOf(["a", ...steps]).readsRequest;
  const transform = (template: string) => ({ stepId: "t", type: "transform", template });
  const loop = (fields: object) => ({ stepId: "w", type: "while", operator: "exists", steps: [], ...fields });
  expect(readsRequest(transform("{{trigger.body}}"))).toBe(true);
  expect(readsRequest(transform("{{= trigger.body }}"))).toBe(true);
  expect(readsRequest({ stepId: "t", type: "transform", expression: "input" })).toBe(true);
  expect(readsRequest({ stepId: "c", type: "code", code: "return trigger" })).toBe(true);
  expect(readsRequest(loop({ left: "{{trigger.body}}" }))).toBe(true);
  expect(readsRequest(loop({ left: 1, steps: [transform("{{trigger.body}}")] }))).toBe(true);
  expect(readsRequest(transform("{{trigger.kind}} {{input.body}}"))).toBe(false);
  expect(readsRequest({ stepId: "c", type: "code", code: "return input" })).toBe(false);
  expect(readsRequest(loop({ left: 1, steps: [transform("x")] }))).toBe(false);
});

test("a graph starts tasks when a step does; a loop only when its inner steps do", () => {
  const startsTasks = (...steps: Step[]) => compiledOf(["a", ...steps]).startsTasks;
  const call = { stepId: "call", type: "workflow", workflowId: "w" };
  const each = (fields: object) => ({ stepId: "each", type: "foreach", items: [], ...fields });
  expect(startsTasks()).toBe(false);
  expect(startsTasks(call)).toBe(true);
  expect(startsTasks(each({ workflowId: "w" }))).toBe(true);
  expect(startsTasks(each({ steps: [call] }))).toBe(true);
  expect(startsTasks(each({ steps: [{ stepId: "x", type: "transform" }] }))).toBe(false);
});

test("the check of a loop is a comparison of its own, whose secrets belong to the whole graph", () => {
  const graph = compiledOf([
    "a",
    {
      stepId: "pages",
      type: "while",
      left: "{{steps.a.output}} {{secrets.key}}",
      operator: "eq",
      right: "{{item}}",
      steps: [{ stepId: "x", type: "transform", template: 1 }],
    },
  ]);
  const { check, refersTo } = graph.steps.get("pages")!;
  expect(check).toMatchObject({ id: "pages", type: "condition", branching: "outcome", secrets: ["key"] });
  expect(check).toMatchObject({ incoming: [], outgoing: [], waitsFor: [], inner: undefined });
  expect(refersTo).toEqual(["a"]);
  expect(graph.secrets).toEqual(["key"]);
  expect(graph.steps.get("a")!.check).toBeUndefined();
});

test("code that names no step may read every step before it, and none beside it", () => {
  const graph = compiledOf(
    [
      "first",
      "waited",
      { stepId: "middle", type: "transform", template: "{{steps.waited.output}}" },
      { stepId: "all", type: "code", code: "return [steps, steps.middle.output]" },
      { stepId: "one", type: "code", code: "return steps.middle.output" },
      "beside",
    ],
    ["first>middle", "middle>all", "middle>one", "first>beside"],
  );
  expect(graph.steps.get("middle")!.waitsFor).toEqual(["waited"]);
  expect(graph.steps.get("all")!.refersTo.toSorted()).toEqual(["first", "middle", "waited"]);
  expect(graph.steps.get("one")!.refersTo).toEqual(["middle"]);
  expect(graph.readers).toEqual(
    new Map([
      ["waited", ["middle", "all"]],
      ["middle", ["all", "one"]],
      ["first", ["all"]],
    ]),
  );
});

test("code after many branches that meet again visits each step before it once", () => {
  const diamonds = Array.from({ length: 30 }, (_, n) => n);
  const graph = compiledOf(
    [
      ...diamonds.flatMap((n) => [`top${n}`, `left${n}`, `right${n}`]),
      "top30",
      { stepId: "all", type: "code", code: "return steps" },
    ],
    [
      ...diamonds.flatMap((n) => [
        `top${n}>left${n}`,
        `top${n}>right${n}`,
        `left${n}>top${n + 1}`,
        `right${n}>top${n + 1}`,
      ]),
      "top30>all",
    ],
  );
  expect(graph.steps.get("all")!.refersTo).toHaveLength(91);
});

test("branches of a race are the steps that lead to its join and to nothing else", () => {
  const join = (stepId: string) => ({ stepId, type: "transform", template: 1, join: "first" });
  const graph = compiledOf(
    [
      "start",
      "a1",
      "a2",
      "b",
      "shared",
      "read",
      join("join"),
      { stepId: "reader", type: "transform", template: "{{steps.read.output}}" },
      "after",
    ],
    ["start>a1", "a1>a2", "a2>join", "b>join", "shared>join", "shared>after", "read>join", "join>after"],
  );
  const racing = [...graph.steps.values()].filter(({ racesTo }) => racesTo.length > 0);
  expect(racing.map(({ id, racesTo }) => [id, ...racesTo]).toSorted()).toEqual([
    ["a1", "join"],
    ["a2", "join"],
    ["b", "join"],
    ["start", "join"],
  ]);
  expect(graph.hasRace).toBe(true);
  expect(graph.steps.get("join")!.join).toBe("first");
});

test("a graph without a join on the first success has no race", () => {
  const any = { stepId: "join", type: "transform", template: 1, join: "any" };
  const graph = compiledOf(["a", "b", any], ["a>join", "b>join"]);
  expect(graph.hasRace).toBe(false);
  expect([...graph.steps.values()].flatMap(({ racesTo }) => racesTo)).toEqual([]);
});

test("a step has its edges, and a graph without edges runs in sequence", () => {
  const { steps } = compiledOf(["a", "b", "c"], ["a>b", "a>c"]);
  expect(steps.get("a")).toMatchObject({ incoming: [], outgoing: [{ target: "b" }, { target: "c" }] });
  expect(steps.get("b")).toMatchObject({ incoming: [{ source: "a" }], outgoing: [], waitsFor: [] });
  expect(compiledOf(["a", "b"]).steps.get("b")!.incoming).toMatchObject([{ source: "a", target: "b" }]);
  const apart = compileGraph(graphOf(["a", "b"]), { inSequence: false });
  expect(apart.steps.get("b")!.incoming).toEqual([]);
});

test("a step knows the resume URLs it sends, the secrets of its runner and whether it reads the scope", () => {
  const { steps } = compiledOf([
    {
      stepId: "send",
      type: "transform",
      template: "{{task.resumeUrls.wait}} {{task.id}} {{input.resumeUrls.x}}",
    },
    { stepId: "code", type: "code", code: "return 1", secrets: ["key"] },
    { stepId: "field", type: "transform", template: "{{= input.a + 1 }}" },
    { stepId: "jsonata", type: "transform", expression: "input" },
    { stepId: "off", type: "transform", template: 1, disabled: true },
    { stepId: "each", type: "foreach", items: [], workflowId: "w", onItemError: "continue" },
    { stepId: "switch", type: "switch", value: 1, timeoutMs: null },
  ]);
  expect(steps.get("send")).toMatchObject({
    resumes: ["wait"],
    readsScope: false,
    expressions: [],
    disabled: false,
    continueOnItemError: false,
    branching: undefined,
  });
  expect(steps.get("code")).toMatchObject({ listedSecrets: ["key"], secrets: ["key"], readsScope: true });
  expect(steps.get("field")).toMatchObject({ expressions: ["input.a + 1"], readsScope: true, pure: false });
  expect(steps.get("jsonata")).toMatchObject({ readsScope: true, pure: false });
  expect(steps.get("off")!.disabled).toBe(true);
  expect(steps.get("each")!.continueOnItemError).toBe(true);
  expect(steps.get("switch")).toMatchObject({ branching: "case", timeoutMs: undefined });
});
