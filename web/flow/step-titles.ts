import type { Graph } from "../../contract/graph.ts";
import { iterationOf } from "../../contract/step-path.ts";
import { innerEdges, innerSteps } from "./inner-steps.ts";
import { stepTitle } from "./step-summary.ts";

/** The title of the step at a path such as `each[2]/fetch`; the path itself when the graph does not have it. */
export function titleAt({ steps }: Graph, path: string): string {
  for (const step of steps) {
    if (step.stepId === path) return stepTitle(step);
    const iteration = iterationOf(path, step.stepId);
    if (iteration === undefined) continue;
    if (iteration.innerPath === undefined) return stepTitle(step);
    return titleAt({ steps: innerSteps(step), edges: innerEdges(step) }, iteration.innerPath);
  }
  return path;
}
