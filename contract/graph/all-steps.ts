import { isRecord } from "../placeholders/json-value.ts";
import { innerGraph } from "./step-references.ts";

/** The steps of a graph, those inside loops included. The graph may be invalid. */
export function allSteps({ steps }: { steps: readonly unknown[] }): Record<string, unknown>[] {
  return steps.filter(isRecord).flatMap((step) => [step, ...allSteps(innerGraph(step) ?? { steps: [] })]);
}
