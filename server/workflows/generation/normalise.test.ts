import { expect, test } from "vitest";
import { validateGraph } from "../../../contract/graph/validate.ts";
import { normalise } from "./normalise.ts";

const typesOf = (given: unknown) => normalise(given).steps.map(({ type }) => type);

test("ids become unique slugs, and references and edges follow", () => {
  const { steps, edges } = normalise({
    steps: [
      { id: "Fetch Orders", type: "http", url: "https://example.com" },
      {
        id: "fetchOrders",
        type: "llm",
        prompt:
          "{{steps.Fetch Orders.output}} {{ steps['Fetch Orders'].output.total }} {{Fetch Orders.output}}",
      },
      { id: "Übersicht!", type: "transform", template: { all: ["{{steps.fetchOrders.output}}"] } },
    ],
    edges: [
      { from: "Fetch Orders", to: "fetchOrders" },
      { source: "fetchOrders", target: "Übersicht!" },
    ],
  });
  expect(steps.map(({ stepId }) => stepId)).toEqual(["fetch-orders", "fetch-orders-2", "ubersicht"]);
  expect(steps[1]?.["prompt"]).toBe(
    "{{steps.fetch-orders.output}} {{steps.fetch-orders.output.total}} {{steps.fetch-orders.output}}",
  );
  expect(steps[2]?.["template"]).toEqual({ all: ["{{steps.fetch-orders-2.output}}"] });
  expect(validateGraph({ steps, edges })).toMatchObject({ valid: true, warnings: [] });
});

test("other names of types and fields are mapped, at any position of the fields", () => {
  const { steps } = normalise({
    nodes: [
      {
        id: "a",
        type: "HTTP Request",
        data: { endpoint: "https://example.com", method: "post", payload: { x: 1 } },
      },
      { id: "b", type: "gpt", parameters: { instructions: "Summarise {{a}}" } },
      { id: "c", kind: "if", config: { value: "{{b.text}}", op: "==", b: "yes" } },
      { id: "d", type: "wait", duration: "60" },
      { id: "e", type: "write_file", filename: "x.txt", data: "{{b}}" },
      { id: "f", type: "agentCall", capability: "x", prompt: "go" },
      { id: "g", type: "sleep", minutes: 2 },
    ],
  });
  expect(steps).toMatchObject([
    { type: "http", url: "https://example.com", method: "POST", body: { x: 1 } },
    { type: "llm", prompt: "Summarise {{steps.a.output}}" },
    { type: "condition", left: "{{steps.b.output}}", operator: "eq", right: "yes" },
    { type: "delay", seconds: 60 },
    { type: "file", action: "write", path: "x.txt", content: "{{steps.b.output}}" },
    { type: "agent", input: "go" },
    { type: "delay", seconds: 120 },
  ]);
  expect(typesOf({ steps: [{ type: "teleport" }] })).toEqual(["teleport"]);
});

test("a list without edges becomes a sequence, with a warning", () => {
  const { edges, notices } = normalise({
    steps: [
      { stepId: "a", type: "delay" },
      { stepId: "b", type: "delay" },
      { stepId: "c", type: "delay" },
    ],
  });
  expect(edges).toMatchObject([
    { id: "a-b", source: "a", target: "b" },
    { source: "b", target: "c" },
  ]);
  expect(notices).toMatchObject([{ code: "edges_added" }]);
});

test("start and end nodes of other builders are removed, and their predecessors and successors joined", () => {
  const { steps, edges, notices } = normalise({
    steps: [
      { id: "start", type: "trigger" },
      { id: "a", type: "delay", seconds: 1 },
      { id: "middle", type: "noop" },
      { id: "b", type: "delay", seconds: 1 },
    ],
    edges: [
      { source: "start", target: "a" },
      { source: "a", target: "middle" },
      { source: "middle", target: "b" },
      { source: "a", target: "b" },
    ],
  });
  expect(steps.map(({ stepId }) => stepId)).toEqual(["a", "b"]);
  expect(edges).toMatchObject([{ source: "a", target: "b" }]);
  expect(notices.map(({ code }) => code)).toEqual(["step_dropped", "step_dropped"]);
});

test("labels of a condition's edges select the branch", () => {
  const { edges } = normalise({
    steps: [
      { stepId: "c", type: "condition" },
      { stepId: "x", type: "delay" },
      { stepId: "y", type: "delay" },
      { stepId: "z", type: "delay" },
    ],
    edges: [
      { source: "c", target: "x", label: "Yes" },
      { source: "c", target: "y", sourceHandle: "false" },
      { source: "x", target: "z", condition: true },
    ],
  });
  expect(edges.map(({ condition }) => condition)).toEqual(["true", "false", "true"]);
});

test("steps are laid out top to bottom, branches side by side", () => {
  const { steps } = normalise({
    steps: ["a", "b", "c", "d"].map((stepId) => ({ stepId, type: "delay", position: { x: 9, y: 9 } })),
    edges: [
      ["a", "b"],
      ["a", "c"],
      ["b", "d"],
      ["c", "d"],
    ].map(([source, target]) => ({ source, target })),
  });
  expect(steps.map(({ position }) => position)).toEqual([
    { x: 0, y: 0 },
    { x: -140, y: 140 },
    { x: 140, y: 140 },
    { x: 0, y: 280 },
  ]);
});

test("the inner steps of a loop are normalised", () => {
  const { steps } = normalise({
    workflow: {
      metadata: {
        steps: [
          {
            stepId: "Each",
            type: "loop",
            list: "{{input.items}}",
            body: [
              { id: "Say It", type: "ai", text: "{{item}}" },
              { id: "Save", type: "file", path: "x", content: "{{Say It}}" },
            ],
          },
        ],
      },
    },
  });
  expect(steps[0]).toMatchObject({
    type: "foreach",
    items: "{{input.items}}",
    steps: [
      { stepId: "say-it", type: "llm", prompt: "{{item}}" },
      { stepId: "save", content: "{{steps.say-it.output}}" },
    ],
    edges: [{ source: "say-it", target: "save" }],
  });
  expect(validateGraph({ steps, edges: [] }).errors).toEqual([]);
});

test("invalid input becomes an empty graph and never throws", () => {
  for (const given of [
    null,
    1,
    "x",
    [],
    { steps: "x" },
    { steps: [null, 1] },
    { steps: { a: 1 } },
    { nodes: [[]] },
    { metadata: [] },
  ])
    expect(normalise(given).steps).toEqual([]);
});
