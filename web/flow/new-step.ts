import { findStepType } from "../../contract/steps/catalogue.ts";
import type { Step } from "../../contract/graph.ts";
import { freeStepId } from "./draft.ts";
import { innerSteps } from "./inner-steps.ts";

/** Begins with the type's own example, so that a new step is right from the first moment and shows how it is filled. */
export function newStep(around: readonly Step[], type: string): Step {
  const entry = findStepType(type);
  const { stepId: suggested, ...fields } = entry?.example ?? {};
  const stepId = freeStepId(around, typeof suggested === "string" ? suggested : type);
  const step: Step = { ...fields, stepId, type: entry?.type ?? type, name: entry?.title ?? type };
  const inner = innerSteps(step);
  if (inner.length === 0) return step;
  // The names inside a loop must be free outside it, too.
  const taken = [...around, { stepId, type }];
  return { ...step, steps: inner.map((one) => ({ ...one, stepId: freeStepId(taken, one.stepId) })) };
}
