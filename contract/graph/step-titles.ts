import type { Step } from "../graph.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { iterationOf } from "../step-path.ts";
import { innerGraph } from "./step-references.ts";

export function stepTitle(step: Step): string {
  return typeof step["name"] === "string" && step["name"] !== "" ? step["name"] : step.stepId;
}

/** The step at a path such as `each[2]/fetch`; the loop itself for one of its items. */
export function stepAt({ steps }: { steps: readonly unknown[] }, path: string): Step | undefined {
  for (const step of steps.filter(isStep)) {
    if (step.stepId === path) return step;
    const iteration = iterationOf(path, step.stepId);
    if (iteration === undefined) continue;
    if (iteration.innerPath === undefined) return step;
    return stepAt(innerGraph(step) ?? { steps: [] }, iteration.innerPath);
  }
  return undefined;
}

/** The title of the step at a path; the path itself when the graph does not have it. */
export function titleAt(graph: { steps: readonly unknown[] }, path: string): string {
  const step = stepAt(graph, path);
  return step === undefined ? path : stepTitle(step);
}

function isStep(value: unknown): value is Step {
  return isRecord(value) && typeof value["stepId"] === "string";
}
