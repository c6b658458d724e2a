import { findStepType } from "../../../contract/steps/catalogue.ts";
import type { Step } from "../../../contract/graph.ts";
import { type Draft, freeStepId, type Point } from "../../flow/draft.ts";

/** Begins with the type's own example, so that a new step is right from the first moment and shows how it is filled. */
export function newStep(draft: Draft, type: string, position: Point): Step {
  const entry = findStepType(type);
  const example = entry?.example ?? {};
  const { stepId: suggested, ...fields } = example;
  return {
    ...fields,
    stepId: freeStepId(draft.steps, typeof suggested === "string" ? suggested : type),
    type: entry?.type ?? type,
    name: entry?.title ?? type,
    position,
  };
}
