import type { Edge, Step } from "../../../contract/graph.ts";
import { uniqueSlug } from "../../workflows/generation/slug.ts";
import type { Conversion } from "../conversion.ts";
import type { Data } from "../data/data.ts";
import type { DataFlow } from "../data/data-flow.ts";
import { createArrivingValues } from "../nodes/arriving-values.ts";
import { WORKFLOW } from "../plan/scopes.ts";

/**
 * True for a step that runs with an empty list, where n8n runs nothing, and that makes something else of a list than
 * another list: a message of all items, or a sum.
 */
export function runsWithoutItems(
  { plan, steps, flowOf }: Conversion,
  name: string,
  arriving: readonly Data[],
): boolean {
  const { takes, gives, passes } = flowOf(name);
  if (takes === "item" || gives === "list" || passes || plan.loops.has(name)) return false;
  return steps.get(name)?.kind !== "merge" && arriving.some(({ shape }) => shape === "list");
}

interface Graph {
  steps: Step[];
  edges: Edge[];
}

/** Adds a condition before each of these steps. Inside of loops there is none: their final steps make their output. */
export function withGates(graph: Graph, conversion: Conversion, flow: DataFlow): Graph {
  const { plan, scopes, converted, idOf } = conversion;
  const gates = new Map<string, Step>();
  const used = new Set(plan.order.map(idOf));
  for (const name of scopes.membersOf(WORKFLOW)) {
    const arriving = flow.arriving(name);
    if (converted.get(name)?.step === undefined || !runsWithoutItems(conversion, name, arriving)) continue;
    gates.set(idOf(name), {
      stepId: uniqueSlug(`any ${name}`, used),
      type: "condition",
      name: "Any items?",
      left: createArrivingValues(arriving, () => undefined).items(),
      operator: "empty",
    } as Step);
  }
  if (gates.size === 0) return graph;
  const edges = graph.edges.map((edge) => {
    const gate = gates.get(edge.target);
    return gate === undefined ? edge : { ...edge, target: gate.stepId };
  });
  const after = [...gates].map(([target, { stepId }]) => ({
    id: `${stepId}-${target}`.slice(0, 190),
    source: stepId,
    target,
    condition: "false" as const,
  }));
  return {
    steps: graph.steps.flatMap((step) => {
      const gate = gates.get(step.stepId);
      return gate === undefined ? [step] : [gate, step];
    }),
    edges: [...edges, ...after],
  };
}
