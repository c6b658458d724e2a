import type { Graph } from "../../../contract/graph.ts";
import { dependenciesOf } from "../../../contract/graph/order.ts";
import { referredStepIds } from "../../../contract/graph/step-references.ts";
import { type CompiledGraph, compileGraph } from "./compiled-graph.ts";

/** Compiles only the chosen steps. A step still waits for every chosen step before it, also across steps left out. */
export function compileSelection(graph: Graph, stepIds: readonly string[]): CompiledGraph {
  const chosen = new Set(stepIds);
  const steps = graph.steps.filter((step) => chosen.has(step.stepId));
  const edges = graph.edges.filter((edge) => chosen.has(edge.source) && chosen.has(edge.target));
  const before = ancestors(graph);
  const referred = new Map(
    steps.map((step) => [
      step.stepId,
      [...new Set([...referredStepIds(step), ...before.get(step.stepId)!])].filter((id) => chosen.has(id)),
    ]),
  );
  return compileGraph(
    { steps, edges },
    { inSequence: graph.edges.length === 0, referred: (id) => referred.get(id)! },
  );
}

/** The ids of a step and of all steps after it. */
export function stepsFrom(graph: Graph, stepId: string): string[] {
  const before = ancestors(graph);
  return graph.steps
    .map((step) => step.stepId)
    .filter((id) => id === stepId || before.get(id)?.has(stepId) === true);
}

function ancestors(graph: Graph): Map<string, Set<string>> {
  const { steps, order } = dependenciesOf(graph);
  const before = new Map<string, Set<string>>();
  for (const id of order) {
    const { incoming, waitsFor } = steps.get(id)!;
    const all = new Set<string>();
    for (const source of [...incoming.map((edge) => edge.source), ...waitsFor]) {
      all.add(source);
      for (const earlier of before.get(source)!) all.add(earlier);
    }
    before.set(id, all);
  }
  return before;
}
