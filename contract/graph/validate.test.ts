import { describe, expect, test } from "vitest";
import { check, edge, http, loop, say } from "./testing/sample-steps.ts";
import { validateGraph } from "./validate.ts";

test("an edge that can never be taken leaves its target, and all after it, unreachable", () => {
  const { warnings: found } = validateGraph({
    steps: [say("a"), say("b"), say("c")],
    edges: [edge("a", "b", { condition: "true" }), edge("b", "c")],
  });
  expect(found.map(({ code, stepId, edgeId }) => [code, stepId ?? edgeId])).toEqual([
    ["unused_branch", "a-b"],
    ["unreachable_step", "b"],
    ["unreachable_step", "c"],
  ]);
});

describe("a valid graph has no problems", () => {
  test.each<[string, unknown[], unknown[]]>([
    ["empty", [], []],
    ["one step", [say("a")], []],
    ["the aliases of agent", [{ stepId: "a", type: "agentCall", agentId: "x", input: 1 }], []],
    [
      "additional fields and long text",
      [{ ...say("a", "y".repeat(100_001)), label: "{{ not a placeholder", position: { x: 1 } }],
      [],
    ],
    ["a cleared optional field", [http({ headers: null, maxRetries: null })], []],
    [
      "a lowercase method and one from a placeholder",
      [http({ method: "post" }), http({ stepId: "b", method: "{{input.m}}" })],
      [edge("a", "b")],
    ],
    ["numbers from placeholders", [{ stepId: "a", type: "delay", seconds: "{{input.seconds}}" }], []],
    ["escaped braces", [say("a", "\\{{ 1 + 1 }}")], []],
    [
      "both branches of a condition, as strings and as booleans, and an error edge",
      [check("a"), say("b"), say("c"), say("d")],
      [
        edge("a", "b", { condition: "true" }),
        edge("a", "c", { condition: false }),
        edge("a", "d", { condition: "error" }),
      ],
    ],
    [
      "a switch with cases and a default",
      [{ stepId: "a", type: "switch", value: "{{input.x}}" }, say("b"), say("c")],
      [edge("a", "b", { caseValue: 1 }), edge("a", "c")],
    ],
    [
      "a loop that uses its item, its own steps and an earlier one",
      [
        say("a"),
        loop([say("x", "{{item}}{{index}}{{steps.a.output}}"), say("y", "{{steps.x.output}}")], {
          edges: [edge("x", "y")],
        }),
        say("b", "{{steps.loop.output}}"),
      ],
      [edge("a", "loop"), edge("loop", "b")],
    ],
  ])("%s", (_, steps, edges) => {
    expect(validateGraph({ steps, edges })).toEqual({ valid: true, errors: [], warnings: [] });
  });
});

test("all problems are reported at once", () => {
  const codes = validateGraph({
    steps: [
      null,
      { type: "http" },
      { stepId: "a", type: "http", maxRetries: -1, headers: 3 },
      say("a"),
      { stepId: "b", type: "?" },
    ],
    edges: [edge("a", "nowhere"), edge("b", "b")],
  }).errors.map((problem) => problem.code);
  expect(codes.sort()).toEqual(
    [
      "invalid_field",
      "missing_step_id",
      "missing_field",
      "missing_field",
      "invalid_field",
      "invalid_field",
      "duplicate_step_id",
      "unknown_step_type",
      "unknown_edge_target",
      "self_edge",
    ].sort(),
  );
});

test("each cycle is one error that names its steps, without follow-up errors", () => {
  const { errors: found } = validateGraph({
    steps: ["a", "b", "c", "d", "e"].map((id) => say(id)),
    edges: [edge("a", "b"), edge("b", "a"), edge("b", "c"), edge("c", "d"), edge("d", "e"), edge("e", "c")],
  });
  expect(found.map((problem) => problem.code)).toEqual(["cycle", "cycle"]);
  expect(found[0]?.message).toContain('"a" and "b"');
  expect(found[1]?.message).toContain('"c", "d" and "e"');
});

test("a graph whose edges are all invalid is not a sequence", () => {
  const { errors: found } = validateGraph({
    steps: [say("a", "{{steps.b.output}}"), say("b")],
    edges: [edge("a", "z")],
  });
  expect(found.map((problem) => problem.code)).toEqual(["unknown_edge_target"]);
});

test.each<[unknown, unknown, RegExp]>([
  [undefined, "b", /has no source.*where the edge starts/],
  ["a", null, /has no target.*where the edge ends/],
  ["", "b", /has no source/],
  ["a", 7, /has a target that is not text/],
  ["z", "b", /starts at "z", but there is no such step/],
  ["a", "z", /leads to "z", but there is no such step/],
])("an edge from %j to %j says what is wrong with it", (source, target, message) => {
  const { errors } = validateGraph({ steps: [say("a"), say("b")], edges: [{ id: "e", source, target }] });
  expect(errors.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
});

test("a pattern that compiles to too large a program is refused, unless a placeholder decides it", () => {
  const problems = (right: string) =>
    validateGraph({
      steps: [{ stepId: "a", type: "condition", left: "x", operator: "matches", right }],
    }).errors.map(({ code }) => code);
  expect(problems("^order-\\d{1,20}$")).toEqual([]);
  expect(problems("(((a{10}){10}){10}){10}")).toEqual(["invalid_field"]);
  expect(problems("a".repeat(1001))).toEqual(["invalid_field"]);
  expect(problems("{{input.pattern}}{10}")).toEqual([]);
});

test("the time limit of an HTTP request is at most an hour, that of an approval may be longer", () => {
  const problems = (step: Record<string, unknown>) =>
    validateGraph({ steps: [{ stepId: "a", ...step }] }).errors.map(({ code }) => code);
  const day = 86_400_000;
  expect(problems({ type: "http", url: "https://example.com", timeoutMs: 3_600_000 })).toEqual([]);
  expect(problems({ type: "http", url: "https://example.com", timeoutMs: day })).toEqual(["invalid_field"]);
  expect(problems({ type: "approval", message: "Go on?", timeoutMs: day })).toEqual([]);
});

test("unknown fields that resemble no absent field are kept without a warning", () => {
  const step = { ...http({}), label: "x", position: { x: 0, y: 0 }, urls: [], icon: "y", "": 1 };
  expect(validateGraph({ steps: [step] }).warnings).toEqual([]);
});
