import { expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import { validateGraph } from "../../contract/graph/validate.ts";
import { completenessOf } from "./complete-part.ts";

const graph: Graph = {
  steps: [
    { stepId: "a", type: "transform", template: 1 },
    { stepId: "b", type: "http" },
    { stepId: "c", type: "transform", template: "{{steps.b.output}}" },
    { stepId: "d", type: "transform", template: "{{steps.a.output}}" },
    { stepId: "e", type: "foreach", items: [1], steps: [{ stepId: "f", type: "http" }] },
  ],
  edges: [
    { id: "1", source: "a", target: "b" },
    { id: "2", source: "b", target: "c" },
    { id: "3", source: "a", target: "d" },
    { id: "4", source: "a", target: "e" },
  ],
};
const of = (given: Graph, pinned: string[] = []) =>
  completenessOf(given, validateGraph(given).errors, new Set(pinned));

test("steps run that have no error and depend on no step with one", () => {
  expect(of(graph)).toMatchObject({ incomplete: ["b", "e"], complete: ["a", "d"], ofTheGraph: [] });
});

test("an incomplete loop leads to the step inside it that has the error", () => {
  expect([...of(graph).nodesToSetUp]).toEqual([
    ["b", "b"],
    ["e", "e/f"],
  ]);
});

test("a pinned output stands for the step before", () => {
  expect(of(graph, ["b"]).complete).toEqual(["a", "c", "d"]);
});

test("nothing runs while the graph as a whole has an error", () => {
  const cyclic = { ...graph, edges: [...graph.edges, { id: "5", source: "d", target: "a" }] };
  const { complete, ofTheGraph } = of(cyclic);
  expect(complete).toEqual([]);
  expect(ofTheGraph.map(({ code }) => code)).toContain("cycle");
});
