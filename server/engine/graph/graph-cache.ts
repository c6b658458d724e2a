import { type CompiledGraph, compileGraph } from "./compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import { compileSelection } from "./selection.ts";

const MAX_CACHED = 500;

/** A version never changes, so it is compiled once; the least recently used give way. */
export function createGraphCache() {
  const cache = new Map<string, CompiledGraph>();
  return function compiled(
    workflow: RunnableWorkflow,
    stepIds: readonly string[] | undefined,
  ): CompiledGraph {
    if (stepIds !== undefined) return compileSelection(workflow.graph, stepIds);
    const key = `${workflow.id}@${workflow.version}`;
    let graph = cache.get(key);
    if (graph === undefined) graph = compileGraph(workflow.graph);
    else cache.delete(key);
    cache.set(key, graph);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return graph;
  };
}
