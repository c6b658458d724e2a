import type { Step } from "../../contract/graph.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";
import { freeStepId } from "./draft.ts";
import { nameFromTitle } from "./reference-name.ts";

/** A step with empty fields. It has problems until its fields are filled in; no data is invented. */
export function newStep(existing: readonly Step[], type: string, name?: string): Step {
  const entry = findStepType(type);
  const title = name ?? entry?.title ?? type;
  const stepId = freeStepId(existing, nameFromTitle(title));
  return { stepId, type: entry?.type ?? type, name: title, ...entry?.initial };
}
