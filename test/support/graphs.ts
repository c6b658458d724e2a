import type { Edge, Step } from "../../contract/graph.ts";

/** A step without references to other steps. */
export function transformStep(stepId: string, template: unknown = stepId): Step {
  return { stepId, type: "transform", template };
}

export function edge(source: string, target: string, more: Record<string, unknown> = {}): Edge {
  return { id: `${source}-${target}`, source, target, ...more };
}

/** A chain of steps, each passing its output to the next. */
export function chain(...stepIds: string[]): { steps: Step[]; edges: Edge[] } {
  return {
    steps: stepIds.map((stepId, i) =>
      transformStep(stepId, i === 0 ? "start" : `{{steps.${stepIds[i - 1]}.output}}`),
    ),
    edges: stepIds.slice(1).map((stepId, i) => edge(stepIds[i] ?? "", stepId)),
  };
}
