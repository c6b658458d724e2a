import type { Step } from "../graph.ts";
import { isRecord } from "../placeholders/json-value.ts";
import type { Reference } from "../placeholders/reference.ts";
import type { Template } from "../placeholders/compile.ts";
import { scriptReferences, type ScriptReferences } from "../placeholders/script-references.ts";
import { traitsOf } from "../steps/catalogue.ts";
import { compileStep } from "../steps/compile-step.ts";
import { expressionReferences } from "../steps/expression-references.ts";

/** The maximum depth of nested loops, the same as of sub-workflows. */
export const maxNesting = 20;

/** The references of a step's own fields, expressions and code, without those of the steps inside a loop. */
export function ownReferences(step: Readonly<Record<string, unknown>>, template: Template): Reference[] {
  const expression = expressionOf(step);
  const scripts = scriptsOf(step, template);
  if (expression === undefined && scripts.length === 0) return template.references;
  return [
    ...template.references,
    ...(expression === undefined ? [] : expressionReferences(expression).references),
    ...scripts.flatMap(({ references }) => references),
    ...listedSecrets(step).map((name) => ({ root: "secrets", path: [name], source: `secrets.${name}` })),
  ];
}

/** What the code of a step and its `{{= }}` expressions read. */
export function scriptsOf(step: Readonly<Record<string, unknown>>, template: Template): ScriptReferences[] {
  const { scriptField } = traitsOf(step["type"]);
  const code = scriptField === undefined ? undefined : step[scriptField];
  const sources = typeof code === "string" ? [code, ...template.expressions] : template.expressions;
  return sources.length === 0 ? [] : sources.map(scriptReferences);
}

/** The secrets that the runner of the step receives. */
export function listedSecrets(step: Readonly<Record<string, unknown>>): string[] {
  const { secretsField } = traitsOf(step["type"]);
  const names = secretsField === undefined ? undefined : step[secretsField];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}

export function expressionOf(step: Readonly<Record<string, unknown>>): string | undefined {
  const { expressionField } = traitsOf(step["type"]);
  const expression = expressionField === undefined ? undefined : step[expressionField];
  return typeof expression === "string" ? expression : undefined;
}

/** The comparison that a loop checks before each iteration, as its own step; undefined for other steps. */
export function iterationCheck(step: Readonly<Record<string, unknown>>): Step | undefined {
  const { iterationFields } = traitsOf(step["type"]);
  if (iterationFields === undefined) return undefined;
  return {
    stepId: String(step["stepId"]),
    type: "condition",
    ...Object.fromEntries(iterationFields.map((field) => [field, step[field]])),
  };
}

/** The steps and edges that a loop runs for each item; undefined for other steps and for a loop over a workflow. */
export function innerGraph(
  step: Readonly<Record<string, unknown>>,
): { steps: unknown[]; edges: unknown[] } | undefined {
  const { type, steps, edges } = step;
  if (traitsOf(type).loop !== true || !Array.isArray(steps)) return undefined;
  // Edges that are not a list are reported as an invalid field of the loop.
  return { steps, edges: Array.isArray(edges) ? edges : [] };
}

/**
 * The ids of the steps whose results a step needs. References of inner steps to steps outside the loop count as
 * references of the loop.
 */
export function referredStepIds(step: Step, nesting = 0, template = compileStep(step)): string[] {
  const ids = ownReferences(step, template).flatMap((reference) => reference.stepId ?? []);
  const check = iterationCheck(step);
  if (check !== undefined) ids.push(...referredStepIds(check, nesting));
  const inner = innerSteps(step);
  if (inner.length === 0 || nesting >= maxNesting) return [...new Set(ids)];
  const innerIds = new Set(inner.map((child) => child.stepId));
  const outward = inner
    .flatMap((child) => referredStepIds(child, nesting + 1))
    .filter((id) => !innerIds.has(id));
  return [...new Set([...ids, ...outward])];
}

function innerSteps(step: Step): Step[] {
  return (innerGraph(step)?.steps ?? []).filter(
    (child): child is Step => isRecord(child) && typeof child["stepId"] === "string",
  );
}
