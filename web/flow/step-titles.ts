import type { Graph, Step } from "../../contract/graph.ts";
import { iterationOf } from "../../contract/step-path.ts";
import { innerGraphOf } from "./inner-steps.ts";
import { stepTitle } from "./step-summary.ts";

/** The step at a path such as `each[2]/fetch`; the loop itself for one of its items. */
export function stepAt({ steps }: Graph, path: string): Step | undefined {
  for (const step of steps) {
    if (step.stepId === path) return step;
    const iteration = iterationOf(path, step.stepId);
    if (iteration === undefined) continue;
    return iteration.innerPath === undefined ? step : stepAt(innerGraphOf(step), iteration.innerPath);
  }
  return undefined;
}

/** The title of the step at a path; the path itself when the graph does not have it. */
export function titleAt(graph: Graph, path: string): string {
  const step = stepAt(graph, path);
  return step === undefined ? path : stepTitle(step);
}
