import type { Step } from "../../contract/graph.ts";
import { type Draft, updateStep } from "./draft.ts";
import { innerGraphOf } from "./inner-steps.ts";

/** The steps that a foreach runs for each item, as a draft: the same functions edit it. */
export function innerGraph(step: Step): Draft {
  return { name: "", description: "", ...innerGraphOf(step) };
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
