import type { Edge, Graph, Step } from "../../../contract/graph.ts";
import { type CompiledGraph, compileGraph } from "../graph/compiled-graph.ts";

/** For tests: `graphOf(["a", "b"], ["a>b"])`; a step may be a name (a transform) or a whole step. */
export function graphOf(steps: readonly (string | Step)[], edges: readonly (string | Edge)[] = []): Graph {
  return {
    steps: steps.map((step) =>
      typeof step === "string" ? { stepId: step, type: "transform", template: step } : step,
    ),
    edges: edges.map((edge) => {
      if (typeof edge !== "string") return edge;
      const [source = "", target = ""] = edge.split(">");
      return { id: edge, source, target };
    }),
  };
}

export function compiledOf(...graph: Parameters<typeof graphOf>): CompiledGraph {
  return compileGraph(graphOf(...graph));
}
