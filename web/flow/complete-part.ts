import type { Graph, Problem } from "../../contract/graph.ts";
import { isGraphWide } from "../../contract/graph/graph-wide-errors.ts";
import { dependenciesOf } from "../../contract/graph/order.ts";
import { nestedStepIds } from "./inner-steps.ts";
import { nodeIdOf } from "./scopes.ts";

export interface Completeness {
  /** Steps with errors, in the order of the graph. */
  incomplete: string[];
  /** The node with the error by the incomplete step around it: a step inside a loop, or the step itself. */
  nodesToSetUp: ReadonlyMap<string, string>;
  /** Steps that can run: they have no error, and neither has a step before them whose output is not known. */
  complete: string[];
  /** Errors of the graph as a whole, such as a cycle: nothing runs until they are solved. */
  ofTheGraph: Problem[];
}

/** Which part of a draft can run. `pinned` steps have an output without running. */
export function completenessOf(
  graph: Graph,
  errors: readonly Problem[],
  pinned: ReadonlySet<string>,
): Completeness {
  const ofTheGraph = errors.filter(isGraphWide);
  const named = new Set(errors.map(({ stepId }) => stepId));
  const nodesToSetUp = new Map<string, string>();
  for (const step of graph.steps) {
    // A loop runs as a whole, so an error inside it is its own.
    const wrongId = [step.stepId, ...nestedStepIds(step)].find((id) => named.has(id));
    if (wrongId === undefined) continue;
    const around = { name: "", description: "", steps: [step], edges: [] };
    nodesToSetUp.set(step.stepId, nodeIdOf(around, wrongId) ?? step.stepId);
  }
  const incomplete = [...nodesToSetUp.keys()];
  const wrong = new Set(incomplete);
  if (ofTheGraph.length > 0) return { incomplete, nodesToSetUp, complete: [], ofTheGraph };
  const { steps, order } = dependenciesOf(graph);
  const runs = new Set<string>();
  for (const id of order) {
    const { incoming, waitsFor } = steps.get(id)!;
    const before = [...incoming.map(({ source }) => source), ...waitsFor];
    if (!wrong.has(id) && before.every((source) => runs.has(source) || pinned.has(source))) runs.add(id);
  }
  const complete = graph.steps.map(({ stepId }) => stepId).filter((id) => runs.has(id) && !pinned.has(id));
  return { incomplete, nodesToSetUp, complete, ofTheGraph };
}
