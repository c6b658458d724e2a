import { compileTemplate, type Template } from "../placeholders/compile.ts";
import type { JsonValue } from "../placeholders/json-value.ts";
import { findStepType } from "./catalogue.ts";

/** Of a step that is checked. Its fields are read at once: two megabytes of placeholders take 0.3 s. */
export const MAX_PLACEHOLDERS = 10_000;

/**
 * The fields of a step's own type as one template, which renders to the input of the step. Unknown fields are left out:
 * a label with braces stays a label.
 */
export function compileStep(step: Readonly<Record<string, unknown>>, maxPlaceholders?: number): Template {
  const stepType = findStepType(step["type"]);
  if (stepType === undefined) return compileTemplate({});
  const given: Record<string, JsonValue> = {};
  for (const field of Object.keys(stepType.fields)) {
    const value = step[field];
    if (value !== undefined) given[field] = value as JsonValue;
  }
  return compileTemplate(given, stepType.literalFields, maxPlaceholders);
}
