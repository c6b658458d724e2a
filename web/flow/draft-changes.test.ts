import { describe, expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import { changedSteps, draftChanges, overlaidGraph } from "./draft-changes.ts";

const order = { stepId: "order", type: "transform", name: "Get order", template: 1 };
const check = { stepId: "check", type: "condition", name: "Over €100?", left: 1, operator: "gt", right: 50 };
const base: Graph = { steps: [order, check], edges: [{ id: "e", source: "order", target: "check" }] };

describe("the changes of a draft", () => {
  test("name steps by their titles, and show a short value that changed", () => {
    const after = { ...base, steps: [order, { ...check, right: 100 }] };
    expect(draftChanges(base, after)).toEqual([
      {
        kind: "changed",
        title: "Over €100?",
        stepId: "check",
        detail: "",
        values: { before: "50", after: "100" },
      },
    ]);
  });

  test("count an added step with its connections as one, and other connections by themselves", () => {
    const added = { stepId: "mail", type: "http", name: "Send mail", url: "https://a.example" };
    const after = {
      steps: [order, check, added],
      edges: [{ id: "f", source: "check", target: "mail" }],
    };
    expect(draftChanges(base, after)).toEqual([
      { kind: "added", title: "Send mail", stepId: "mail", detail: "" },
      { kind: "removed", title: "Get order → Over €100?", detail: "disconnected" },
    ]);
    expect(draftChanges(after, base).map(({ kind, title }) => [kind, title])).toEqual([
      ["removed", "Send mail"],
      ["added", "Get order → Over €100?"],
    ]);
  });

  test("list the fields when several or long ones changed, and say disabled in words", () => {
    const long = { ...check, left: "x".repeat(90), operator: "eq", right: 2, maxRetries: 3 };
    expect(draftChanges(base, { ...base, steps: [{ ...order, disabled: true }, long] })).toMatchObject([
      { title: "Get order", detail: "disabled" },
      { title: "Over €100?", detail: "Value, Comparison, Compare with, and 1 more" },
    ]);
  });

  test("use the words of the step panel for fields, durations and choices, and of the canvas for lines", () => {
    const call = { stepId: "call", type: "http", url: "https://a.example", timeoutMs: 5000 };
    const before: Graph = { steps: [order, call], edges: [{ id: "e", source: "order", target: "call" }] };
    const changed = (fields: object) =>
      draftChanges(before, { ...before, steps: [order, { ...call, ...fields }] })[0]?.values;
    expect(changed({ timeoutMs: 90_000 })).toEqual({ before: "5 s", after: "1 min 30 s" });
    expect(changed({ onError: "continue" })?.after).toBe("Continue with an empty output");
    const failing = [{ id: "e", source: "order", target: "call", condition: "error" }];
    expect(draftChanges(before, { ...before, edges: failing })).toEqual([
      {
        kind: "changed",
        title: "Get order → call",
        detail: "",
        values: { before: "Always", after: "On error" },
      },
    ]);
  });

  test("include the label of a line, also beside its condition", () => {
    const line = (fields: object): Graph => ({
      ...base,
      edges: [{ id: "e", source: "order", target: "check", ...fields }],
    });
    const labels = (before: object, after: object) =>
      draftChanges(line(before), line(after)).map(({ title, values }) => [title, values]);
    expect(labels({ label: "Paid" }, { label: "Open" })).toEqual([
      ["Get order → Over €100?", { before: "Paid", after: "Open" }],
    ]);
    expect(labels({ condition: "error" }, { condition: "error", label: "Down" })).toEqual([
      ["Get order → Over €100?", { before: "", after: "Down" }],
    ]);
    expect(labels({ label: "" }, {})).toEqual([]);
  });

  test("include the name, notes and input fields, but no positions", () => {
    const moved = { ...base, steps: [{ ...order, position: { x: 5, y: 5 } }, check] };
    expect(draftChanges(base, moved)).toEqual([]);
    const inputSchema = { type: "object" as const, properties: {} };
    const after = {
      ...base,
      inputSchema,
      notes: [{ id: "n", text: "Hi", position: { x: 0, y: 0 } }],
      name: "B",
    };
    expect(draftChanges({ ...base, name: "A" }, after).map(({ title }) => title)).toEqual([
      "Name",
      "Notes",
      "Input fields",
    ]);
  });
});

test("an overlay has the removed steps with their connections, flagged", () => {
  const mail = { stepId: "mail", type: "transform", template: 1 };
  const after = { steps: [check, mail], edges: [{ id: "e", source: "check", target: "mail" }] };
  const line = { source: "order", target: "check" };
  const before = [
    { ...line, id: "e" },
    { ...line, id: "f" },
  ];
  const graph = overlaidGraph({ ...base, edges: before }, after);
  expect(graph.steps.map(({ stepId }) => stepId)).toEqual(["check", "mail", "order"]);
  expect(new Set(graph.edges.map(({ id }) => id)).size).toBe(3);
  expect(graph.edges).toMatchObject([{ source: "check", target: "mail" }, line, line]);
  expect(changedSteps(draftChanges(base, after))).toEqual(
    new Map([
      ["mail", "added"],
      ["order", "removed"],
    ]),
  );
});
