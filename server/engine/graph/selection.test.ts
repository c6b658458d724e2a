import { describe, expect, test } from "vitest";
import { compileSelection, stepsFrom } from "./selection.ts";
import { graphOf } from "../testing/sample-graph.ts";

describe("a selection", () => {
  test("keeps the order of the graph, also across steps that are not selected", () => {
    const compiled = compileSelection(graphOf(["a", "b", "c"], ["a>b", "b>c"]), ["c", "a"]);
    expect([...compiled.steps.keys()]).toEqual(["a", "c"]);
    expect(compiled.steps.get("c")).toMatchObject({ incoming: [], waitsFor: ["a"] });
  });

  test("keeps the edges between chosen steps", () => {
    const compiled = compileSelection(graphOf(["a", "b", "c"], ["a>b", "b>c"]), ["b", "c"]);
    expect(compiled.steps.get("c")!.incoming).toHaveLength(1);
    expect(compiled.steps.get("b")!.incoming).toHaveLength(0);
  });

  test("of a graph without edges runs in the order of the list", () => {
    const compiled = compileSelection(graphOf(["a", "b", "c"]), ["a", "c"]);
    const { incoming, waitsFor } = compiled.steps.get("c")!;
    expect([...incoming.map(({ source }) => source), ...waitsFor]).toContain("a");
  });

  test("does not wait for a referenced step that is not selected", () => {
    const reader = { stepId: "r", type: "transform", template: "{{steps.a.output}}" };
    const compiled = compileSelection(graphOf(["a", reader], ["a>r"]), ["r"]);
    expect(compiled.steps.get("r")).toMatchObject({ refersTo: ["a"], waitsFor: [], incoming: [] });
  });
});

test("a step and all after it, by edges and by references", () => {
  const reader = { stepId: "r", type: "transform", template: "{{steps.b.output}}" };
  const graph = graphOf(["a", "b", "c", "d", reader], ["a>b", "b>c", "a>d"]);
  expect(stepsFrom(graph, "b")).toEqual(["b", "c", "r"]);
  expect(stepsFrom(graph, "d")).toEqual(["d"]);
  expect(stepsFrom(graph, "a")).toEqual(["a", "b", "c", "d", "r"]);
});
