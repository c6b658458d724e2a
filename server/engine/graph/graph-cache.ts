import type { Graph } from "../../../contract/graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import { type CompiledGraph, compileGraph } from "./compiled-graph.ts";
import { compileSelection } from "./selection.ts";

/**
 * Compiles a graph once. Keyed by the parsed graph, which the bounded cache of workflow versions holds once per version:
 * when that cache evicts a version, its compiled graph is garbage-collected too.
 */
export function createGraphCache() {
  const compiledGraphs = new WeakMap<Graph, CompiledGraph>();
  return function compiled(
    { graph }: RunnableWorkflow,
    stepIds: readonly string[] | undefined,
  ): CompiledGraph {
    if (stepIds !== undefined) return compileSelection(graph, stepIds);
    let compiledGraph = compiledGraphs.get(graph);
    if (compiledGraph === undefined) {
      compiledGraph = compileGraph(graph);
      compiledGraphs.set(graph, compiledGraph);
    }
    return compiledGraph;
  };
}
