import { describe, expect, test } from "vitest";
import { copySteps, pasteSteps } from "./clipboard.ts";
import {
  addStep,
  connect,
  type Draft,
  freeStepId,
  moveSteps,
  removeSteps,
  renameStep,
  updateStep,
} from "./draft.ts";
import { beginHistory, record, redo, undo } from "./history.ts";

const draft: Draft = {
  name: "Orders",
  description: "",
  steps: [
    { stepId: "fetch", type: "http", url: "https://example.com" },
    { stepId: "check", type: "condition", left: "{{steps.fetch.output.total}}", operator: "gt", right: 1 },
    {
      stepId: "fetch-2",
      type: "transform",
      template: { a: ["{{ steps.fetch.output }} and {{steps.fetch-2.output}}"] },
    },
  ],
  edges: [{ id: "e", source: "fetch", target: "check" }],
};

describe("editing a draft", () => {
  test("a renamed step is renamed in edges and placeholders, and nowhere else", () => {
    const { steps, edges } = renameStep(draft, "fetch", "orders");
    expect(edges).toEqual([{ id: "e", source: "orders", target: "check" }]);
    expect(steps.map(({ stepId }) => stepId)).toEqual(["orders", "check", "fetch-2"]);
    expect(steps[1]).toMatchObject({ left: "{{steps.orders.output.total}}" });
    expect(steps[2]).toMatchObject({
      template: { a: ["{{ steps.orders.output }} and {{steps.fetch-2.output}}"] },
    });
  });

  test("an id with special characters is quoted in brackets", () => {
    expect(renameStep(draft, "fetch", "my orders").steps[1]).toMatchObject({
      left: '{{steps["my orders"].output.total}}',
    });
  });

  test("edges of a condition become true, then false, then unconditional", () => {
    const targets = ["a", "b", "c"].reduce((now, target) => connect(now, "check", target), draft);
    expect(targets.edges.slice(1).map((edge) => edge["condition"])).toEqual(["true", "false", undefined]);
  });

  test("a step is not connected to itself or twice to the same step", () => {
    expect(connect(draft, "fetch", "fetch")).toBe(draft);
    expect(connect(draft, "fetch", "check")).toBe(draft);
  });

  test("removing steps removes their edges", () => {
    const left = removeSteps(draft, new Set(["check"]));
    expect(left.steps).toHaveLength(2);
    expect(left.edges).toEqual([]);
  });

  test("an emptied field is removed from the step", () => {
    expect(Object.keys(updateStep(draft, "fetch", { url: undefined }).steps[0] ?? {})).toEqual([
      "stepId",
      "type",
    ]);
  });

  test("a new step gets a free id and an edge from the one before", () => {
    const stepId = freeStepId(draft.steps, "fetch");
    expect(stepId).toBe("fetch-3");
    expect(addStep(draft, { stepId, type: "delay" }, "check").edges.at(-1)).toMatchObject({
      source: "check",
      target: stepId,
    });
  });
});

describe("copy and paste", () => {
  test("pasted steps get new ids and refer to each other by them", () => {
    const pasted = pasteSteps(draft, copySteps(draft, new Set(["fetch", "check"])));
    expect([...(pasted?.stepIds ?? [])]).toEqual(["fetch-3", "check-2"]);
    expect(pasted?.draft.steps[4]).toMatchObject({
      stepId: "check-2",
      left: "{{steps.fetch-3.output.total}}",
    });
    expect(pasted?.draft.edges[1]).toMatchObject({ source: "fetch-3", target: "check-2" });
  });

  test("steps inside a pasted loop get new ids too, and go into the loop where they are pasted", () => {
    const loop = {
      stepId: "each",
      type: "foreach",
      items: "{{steps.a.output}}",
      steps: [
        { stepId: "a", type: "transform" },
        { stepId: "b", type: "transform", template: "{{steps.a.output}}" },
      ],
      edges: [{ id: "e", source: "a", target: "b" }],
    };
    const source: Draft = { ...draft, steps: [loop], edges: [] };
    const again = pasteSteps(source, copySteps(source, new Set(["each", "each/a"])));
    expect(again?.draft.steps[1]).toMatchObject({
      stepId: "each-2",
      steps: [{ stepId: "a-2" }, { stepId: "b-2", template: "{{steps.a-2.output}}" }],
      edges: [{ source: "a-2", target: "b-2" }],
    });
    const inside = pasteSteps(source, copySteps(source, new Set(["each/b"])), "each");
    expect([...(inside?.stepIds ?? [])]).toEqual(["each/b-2"]);
  });

  test("a new id that equals the old id of another pasted step is not renamed twice", () => {
    const copied: Draft = {
      ...draft,
      steps: [
        { stepId: "a", type: "transform", template: 1 },
        { stepId: "a-2", type: "transform", template: 2 },
        { stepId: "sum", type: "transform", template: "{{steps.a.output}}+{{steps.a-2.output}}" },
      ],
      edges: [],
    };
    const target: Draft = { ...draft, steps: [{ stepId: "a", type: "transform" }], edges: [] };
    const pasted = pasteSteps(target, copySteps(copied, new Set(["a", "a-2", "sum"])));
    expect(pasted?.draft.steps.map(({ stepId }) => stepId)).toEqual(["a", "a-2", "a-2-2", "sum"]);
    expect(pasted?.draft.steps[3]).toMatchObject({
      template: "{{steps.a-2.output}}+{{steps.a-2-2.output}}",
    });
  });

  test.each([
    "",
    "hello",
    "[]",
    '{"steps": [], "edges": []}',
    '{"kind": "baton.steps/1", "steps": 1, "edges": []}',
  ])("%j holds no steps", (text) => {
    expect(pasteSteps(draft, text)).toBeUndefined();
  });
});

describe("undo and redo", () => {
  test("undo and redo restore the same state, and a new edit clears redo", () => {
    const moved = moveSteps(draft, new Map([["fetch", { x: 1.4, y: 2 }]]));
    const history = record(beginHistory(draft), moved);
    expect(undo(history).present).toBe(draft);
    expect(redo(undo(history)).present).toBe(moved);
    expect(redo(record(undo(history), { ...draft, name: "Other" })).present.name).toBe("Other");
    expect(undo(beginHistory(draft)).present).toBe(draft);
  });

  test("consecutive edits with one tag are undone together", () => {
    let history = beginHistory(draft);
    for (const name of ["O", "Or", "Ord"]) history = record(history, { ...draft, name }, "name");
    expect(undo(history).present).toBe(draft);
  });
});
