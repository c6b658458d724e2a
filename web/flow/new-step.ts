import { findStepType } from "../../contract/steps/catalogue.ts";
import type { Step } from "../../contract/graph.ts";
import { freeStepId } from "./draft.ts";
import { innerSteps } from "./inner-steps.ts";

/** A step filled with the example of its type, so that it is valid from the start. */
export function newStep(existing: readonly Step[], type: string): Step {
  const entry = findStepType(type);
  const { stepId: suggested, ...fields } = entry?.example ?? {};
  const stepId = freeStepId(existing, typeof suggested === "string" ? suggested : type);
  const step: Step = { ...fields, stepId, type: entry?.type ?? type, name: entry?.title ?? type };
  const inner = innerSteps(step);
  if (inner.length === 0) return step;
  // Ids inside a loop must differ from the ids outside it.
  const taken = [...existing, { stepId, type }];
  return { ...step, steps: inner.map((one) => ({ ...one, stepId: freeStepId(taken, one.stepId) })) };
}
