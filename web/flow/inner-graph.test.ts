import { expect, test } from "vitest";
import type { Step } from "../../contract/graph.ts";
import { addStep, connect, type Draft, freeStepId, removeSteps } from "./draft.ts";
import { editInner, innerGraph } from "./inner-graph.ts";

const step = (stepId: string, more: object = {}): Step => ({ stepId, type: "transform", ...more });
const draft: Draft = {
  name: "D",
  description: "",
  steps: [
    step("before"),
    step("each", {
      type: "foreach",
      steps: [step("a"), step("deep", { type: "foreach", steps: [step("b")] })],
    }),
  ],
  edges: [],
};

test("steps inside a loop are edited like the outer graph, at any depth", () => {
  const changed = editInner(draft, "each", (inner) =>
    editInner(connect(inner, "a", "deep"), "deep", (deeper) => addStep(deeper, step("c"))),
  );
  const inner = innerGraph(changed.steps[1]!);
  expect(inner.edges).toMatchObject([{ source: "a", target: "deep" }]);
  expect(innerGraph(inner.steps[1]!).steps.map(({ stepId }) => stepId)).toEqual(["b", "c"]);
  expect(changed.steps[0]).toBe(draft.steps[0]);
  expect(editInner(draft, "missing", (inner) => inner)).toBe(draft);
});

test("an emptied list is removed, and entries that are not steps are ignored", () => {
  const emptied = editInner(draft, "each", (inner) => removeSteps(inner, new Set(["a", "deep"])));
  expect(emptied.steps[1]).toEqual(step("each", { type: "foreach" }));
  expect(innerGraph(step("x", { steps: [7, null, { type: "http" }, step("y")] })).steps).toEqual([step("y")]);
});

test("a free id is unused in every loop", () => {
  expect(freeStepId(draft.steps, "b")).toBe("b-2");
});
