import type { Graph } from "../../contract/graph.ts";

/** The ancestors of a step, nearest first. In a graph without edges, all steps listed before it. */
export function stepsBefore(graph: Graph, stepId: string): string[] {
  if (graph.edges.length === 0) {
    const at = graph.steps.findIndex((step) => step.stepId === stepId);
    return graph.steps
      .slice(0, Math.max(at, 0))
      .map((step) => step.stepId)
      .toReversed();
  }
  const found = new Set<string>();
  let layer = [stepId];
  while (layer.length > 0) {
    const next = graph.edges
      .filter((edge) => layer.includes(edge.target) && !found.has(edge.source))
      .map((edge) => edge.source);
    for (const id of next) found.add(id);
    layer = [...new Set(next)];
  }
  found.delete(stepId);
  return [...found];
}

/** The step and all steps after it. */
export function stepsFrom(graph: Graph, stepId: string): string[] {
  if (graph.edges.length === 0) {
    const ids = graph.steps.map((step) => step.stepId);
    return ids.slice(ids.indexOf(stepId));
  }
  const found = new Set([stepId]);
  for (const id of found) for (const { source, target } of graph.edges) if (source === id) found.add(target);
  return [...found];
}

/** Each step after all steps before it; parallel steps in the order of the list. Steps in a cycle come last. */
export function orderedSteps({ steps, edges }: Graph): Graph["steps"] {
  const waitsFor = new Map(steps.map(({ stepId }) => [stepId, new Set<string>()]));
  for (const { source, target } of edges) if (waitsFor.has(source)) waitsFor.get(target)?.add(source);
  const ordered: Graph["steps"] = [];
  const placed = new Set<string>();
  for (let left = [...steps]; left.length > 0;) {
    const next =
      left.find(({ stepId }) => [...(waitsFor.get(stepId) ?? [])].every((id) => placed.has(id))) ?? left[0];
    if (next === undefined) break;
    ordered.push(next);
    placed.add(next.stepId);
    left = left.filter((step) => step !== next);
  }
  return ordered;
}
