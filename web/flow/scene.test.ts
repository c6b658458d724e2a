import { expect, test } from "vitest";
import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { sceneOf } from "./scene.ts";

const step = (stepId: string, type = "transform"): Step => ({ stepId, type });
const edge = (source: string, target: string, more = {}): Edge => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});

test("branches leave a step in the order of where they turn to", () => {
  const graph: Graph = {
    steps: [
      step("order"),
      { ...step("each", "foreach"), steps: [step("check"), step("rate")], edges: [edge("check", "rate")] },
      step("over", "condition"),
      step("approve"),
      step("refund"),
    ],
    edges: [
      edge("order", "each"),
      edge("order", "over"),
      edge("over", "approve", { condition: "true" }),
      edge("over", "refund", { condition: "false" }),
      edge("approve", "refund"),
      edge("each", "refund"),
    ],
  };
  const ways = sceneOf(graph)
    .lines.filter((line) => line.edge?.source === "over")
    .map(({ points }) => ({
      start: points[0]!.x,
      turn: points.find(({ x }) => x !== points[0]!.x)?.x ?? points[0]!.x,
    }));
  expect(ways).toHaveLength(2);
  const byStart = ways.toSorted((a, b) => a.start - b.start);
  expect(byStart[0]!.start).toBeLessThan(byStart[1]!.start);
  expect(byStart).toEqual(ways.toSorted((a, b) => a.turn - b.turn));
});
