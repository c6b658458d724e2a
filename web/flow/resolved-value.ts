import { compileTemplate } from "../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Reference } from "../../contract/placeholders/reference.ts";
import { scriptReferences } from "../../contract/placeholders/script-references.ts";
import { renderTemplate } from "../../contract/placeholders/render.ts";
import type { StepScope } from "./step-scope.ts";

/**
 * The value of a field with the data of the last run. Undefined without placeholders, where the field itself shows
 * it, and while one of them has no data.
 */
export function resolvedValue(field: unknown, scope: StepScope): { value: unknown } | undefined {
  const template = compileTemplate((field ?? null) as JsonValue);
  if (template.references.length === 0) return undefined;
  if (!template.references.every((reference) => hasData(reference, scope))) return undefined;
  return { value: renderTemplate(template, scope.values) };
}

/** The sources that a field needs and that no run has given a value. */
export function missingSources(fields: unknown, scope: StepScope): StepScope["sources"][number][] {
  const template = compileTemplate((fields ?? null) as JsonValue);
  const references = [...template.references, ...template.expressions.flatMap(referencesIn)];
  return scope.sources.filter(
    (source) =>
      !source.hasValue &&
      (source.kind === "step" || source.kind === "input") &&
      references.some(({ root, stepId }) =>
        source.kind === "step" ? root === "steps" && stepId === source.stepId : root === "input",
      ),
  );
}

function referencesIn(expression: string): Pick<Reference, "root" | "stepId">[] {
  const { references } = scriptReferences(expression);
  return /\binput\b/.test(expression) ? [...references, { root: "input" }] : references;
}

function hasData({ root, stepId, path, source: written }: Reference, { sources }: StepScope): boolean {
  if (root === "steps")
    return path[1] === "output" && sources.some((one) => one.stepId === stepId && one.hasValue);
  return sources.some(
    (one) =>
      one.hasValue && (one.path === root || written === one.path || written.startsWith(`${one.path}.`)),
  );
}
