import type { Step } from "../graph.ts";
import { isRecord } from "../placeholders/json-value.ts";
import type { Reference } from "../placeholders/reference.ts";
import type { Template } from "../placeholders/compile.ts";
import { compileStep } from "../steps/compile-step.ts";
import { expressionReferences } from "../steps/expression-references.ts";

/** Loops within loops go no deeper than sub-workflows do. */
export const maxNesting = 20;

/** The references of a step's own fields, its expression included, without what stands inside a loop. */
export function ownReferences(step: Readonly<Record<string, unknown>>, template: Template): Reference[] {
  const expression = step["type"] === "transform" ? step["expression"] : undefined;
  return typeof expression === "string"
    ? [...template.references, ...expressionReferences(expression).references]
    : template.references;
}

/**
 * The ids of the steps whose results a step needs. A foreach also needs what its inner steps take from
 * outside the loop, so those count as its own.
 */
export function referredStepIds(step: Step, nesting = 0): string[] {
  const ids = ownReferences(step, compileStep(step)).flatMap((reference) => reference.stepId ?? []);
  const inner = innerSteps(step);
  if (inner.length === 0 || nesting >= maxNesting) return [...new Set(ids)];
  const innerIds = new Set(inner.map((child) => child.stepId));
  const outward = inner
    .flatMap((child) => referredStepIds(child, nesting + 1))
    .filter((id) => !innerIds.has(id));
  return [...new Set([...ids, ...outward])];
}

function innerSteps(step: Step): Step[] {
  if (step.type !== "foreach" || !Array.isArray(step["steps"])) return [];
  return step["steps"].filter(
    (child): child is Step => isRecord(child) && typeof child["stepId"] === "string",
  );
}
