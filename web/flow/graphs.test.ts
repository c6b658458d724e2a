import { describe, expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import { compareGraphs } from "./compare-graphs.ts";
import { autoLayout, freePosition, positionsOf } from "./layout.ts";
import { mergeGraphs } from "./merge-graphs.ts";
import { layoutTopology } from "./topology-layout.ts";

const base: Graph = {
  steps: [
    { stepId: "a", type: "transform", template: 1, position: { x: 0, y: 0 } },
    { stepId: "b", type: "transform", template: 2, position: { x: 0, y: 100 } },
  ],
  edges: [{ id: "e", source: "a", target: "b" }],
};
const withTemplate = (stepId: string, template: unknown): Graph => ({
  ...base,
  steps: base.steps.map((step) => (step.stepId === stepId ? { ...step, template } : step)),
});

describe("comparing", () => {
  test("reports added, removed and changed steps, and ignores positions", () => {
    const after: Graph = {
      steps: [
        { stepId: "a", type: "transform", template: 9, position: { x: 50, y: 0 } },
        { stepId: "c", type: "delay", seconds: 1 },
      ],
      edges: [{ id: "other", source: "a", target: "c" }],
    };
    expect(compareGraphs(base, after).workflowFields).toEqual([]);
    expect(compareGraphs({ ...base, name: "A" }, { ...base, name: "B" })).toEqual({
      workflowFields: [{ name: "name", before: "A", after: "B" }],
      steps: [],
      addedEdges: [],
      removedEdges: [],
    });
    const { steps, addedEdges, removedEdges } = compareGraphs(base, after);
    expect(steps).toEqual([
      { stepId: "a", kind: "changed", fields: [{ name: "template", before: 1, after: 9 }] },
      { stepId: "c", kind: "added", fields: [] },
      { stepId: "b", kind: "removed", fields: [] },
    ]);
    expect([addedEdges.length, removedEdges.length]).toEqual([1, 1]);
  });
});

describe("merging two edits of one version", () => {
  test("merges changes to different steps without a conflict", () => {
    const { graph, conflicts } = mergeGraphs(base, withTemplate("a", "mine"), withTemplate("b", "theirs"));
    expect(conflicts).toEqual([]);
    expect(graph.steps).toMatchObject([{ template: "mine" }, { template: "theirs" }]);
    expect(graph.edges).toEqual(base.edges);
  });

  test("reports a conflict where both changed one step, and applies the choice", () => {
    const [mine, theirs] = [withTemplate("a", "mine"), withTemplate("a", "theirs")];
    expect(mergeGraphs(base, mine, theirs).conflicts).toMatchObject([
      { stepId: "a", mine: { template: "mine" }, theirs: { template: "theirs" } },
    ]);
    expect(mergeGraphs(base, mine, theirs).graph.steps[0]).toMatchObject({ template: "theirs" });
    expect(mergeGraphs(base, mine, theirs, new Map([["a", "mine"]])).graph.steps[0]).toMatchObject({
      template: "mine",
    });
  });

  test("merges changes to different fields of one step, and asks only about the field that both changed", () => {
    const edited = (fields: object): Graph => ({
      ...base,
      steps: [{ ...base.steps[0]!, ...fields }, base.steps[1]!],
    });
    const apart = mergeGraphs(base, edited({ template: "mine" }), edited({ name: "Theirs" }));
    expect(apart.conflicts).toEqual([]);
    expect(apart.graph.steps[0]).toMatchObject({ template: "mine", name: "Theirs" });
    const mine = edited({ template: "mine", maxRetries: 2 });
    const theirs = edited({ template: "theirs", name: "Theirs" });
    expect(mergeGraphs(base, mine, theirs).conflicts).toMatchObject([{ stepId: "a", fields: ["template"] }]);
    expect(mergeGraphs(base, mine, theirs, new Map([["a", "mine"]])).graph.steps[0]).toMatchObject({
      template: "mine",
      name: "Theirs",
      maxRetries: 2,
    });
  });

  test("the same change on both sides, or a moved step, is no conflict", () => {
    const moved: Graph = {
      ...base,
      steps: base.steps.map((step) => ({ ...step, position: { x: 7, y: 7 } })),
    };
    expect(mergeGraphs(base, withTemplate("a", "x"), withTemplate("a", "x")).conflicts).toEqual([]);
    expect(mergeGraphs(base, moved, withTemplate("a", "x")).conflicts).toEqual([]);
  });

  test("a step removed here and changed there is a conflict; edges to removed steps are dropped", () => {
    const without: Graph = { steps: base.steps.slice(0, 1), edges: [] };
    expect(mergeGraphs(base, without, withTemplate("b", "new")).conflicts).toMatchObject([
      { stepId: "b", mine: undefined },
    ]);
    expect(mergeGraphs(base, without, base).graph).toEqual(without);
  });

  test("keep the input fields of the side that changed them, and the saved ones when both did", () => {
    const withFields = (name: string) => ({
      ...base,
      inputSchema: { type: "object" as const, properties: { [name]: { type: "string" as const } } },
    });
    const merged = (mine: Graph, theirs: Graph) =>
      Object.keys(mergeGraphs(base, mine, theirs).graph.inputSchema?.properties ?? {});
    expect(merged(withFields("mine"), base)).toEqual(["mine"]);
    expect(merged(base, withFields("theirs"))).toEqual(["theirs"]);
    expect(merged(withFields("mine"), withFields("theirs"))).toEqual(["theirs"]);
  });
});

describe("layout", () => {
  test("the layout runs from top to bottom and no two steps share a position", () => {
    const steps = ["a", "b", "c", "d"].map((stepId) => ({ stepId, type: "transform" }));
    const edges = [
      ["a", "b"],
      ["a", "c"],
      ["b", "d"],
      ["c", "d"],
    ].map(([source = "", target = ""]) => ({ source, target }));
    const at = autoLayout({ steps, edges });
    expect(at.get("a")?.y).toBeLessThan(at.get("b")?.y ?? 0);
    expect(at.get("b")?.y).toBe(at.get("c")?.y);
    expect(new Set([...at.values()].map(({ x, y }) => `${x}/${y}`)).size).toBe(4);
  });

  test("steps without edges are laid out in run order", () => {
    const at = autoLayout({ steps: base.steps, edges: [] });
    expect(at.get("a")?.y).toBeLessThan(at.get("b")?.y ?? 0);
  });

  test("stored positions are kept, and a new step goes below its predecessor without overlap", () => {
    expect(positionsOf(base).get("b")).toEqual({ x: 0, y: 100 });
    const { x, y } = freePosition(base, "a");
    expect(y).toBeGreaterThan(60);
    expect(x).toBeGreaterThan(240);
  });

  test("an edge to a missing step does not break the layout", () => {
    expect(autoLayout({ ...base, edges: [{ source: "a", target: "ghost" }] }).size).toBe(2);
  });
});

test.each([
  ["mesh", 6],
  ["hierarchical", 3],
  ["linear", 3],
] as const)("a %s of four members has %i lines", (topology, lines) => {
  const members = ["a", "b", "c", "d"].map((name) => ({ name, external: false }));
  expect(layoutTopology(topology, members).lines).toHaveLength(lines);
  expect(layoutTopology(topology, []).members).toEqual([]);
});
