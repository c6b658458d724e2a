import type { Step } from "../../contract/graph.ts";
import { type Draft, updateStep } from "./draft.ts";
import { nestedStepIds, innerEdges, innerSteps } from "./inner-steps.ts";

/** The steps that a foreach runs for each item, as a draft: the same functions edit it. */
export function innerGraph(step: Step): Draft {
  return {
    name: "",
    description: "",
    steps: innerSteps(step),
    edges: innerEdges(step),
  };
}

/** Changes the graph inside a step; emptied lists are removed. */
export function editInner(draft: Draft, stepId: string, change: (inner: Draft) => Draft): Draft {
  const step = draft.steps.find((entry) => entry.stepId === stepId);
  if (step === undefined) return draft;
  const { steps, edges } = change(innerGraph(step));
  return updateStep(draft, stepId, {
    steps: steps.length === 0 ? undefined : steps,
    edges: edges.length === 0 ? undefined : edges,
  });
}

/** Moves a step up (-1) or down (1) in the list, which is the run order of a graph without edges. */
export function reorderStep(draft: Draft, stepId: string, by: -1 | 1): Draft {
  const from = draft.steps.findIndex((step) => step.stepId === stepId);
  const [moved, other] = [draft.steps[from], draft.steps[from + by]];
  if (moved === undefined || other === undefined) return draft;
  const steps = draft.steps.with(from + by, moved).with(from, other);
  return { ...draft, steps };
}

/** The step on the canvas that contains the given step, at any depth, or that step itself. */
export function topLevelStepOf(steps: readonly Step[], stepId: string): string | undefined {
  return steps.find((step) => step.stepId === stepId || nestedStepIds(step).has(stepId))?.stepId;
}
