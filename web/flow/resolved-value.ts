import { compileTemplate } from "../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { EXPRESSION_ROOT, type Reference } from "../../contract/placeholders/reference.ts";
import { scriptReferences } from "../../contract/placeholders/script-references.ts";
import { renderTemplate } from "../../contract/placeholders/render.ts";
import type { StepScope } from "./step-scope.ts";

/** Values of expressions by their JavaScript. */
export type ExpressionValues = Readonly<Record<string, JsonValue>>;

/**
 * The value of a field with the data of the last run. Undefined without placeholders, where the field itself shows
 * it, and while one of them has no data or an expression no value.
 */
export function resolvedValue(
  field: unknown,
  scope: StepScope,
  expressions: ExpressionValues = {},
): { value: unknown } | undefined {
  const template = compileTemplate((field ?? null) as JsonValue);
  if (template.references.length === 0) return undefined;
  const isKnown = (reference: Reference): boolean =>
    reference.root === EXPRESSION_ROOT
      ? Object.hasOwn(expressions, String(reference.path[0]))
      : hasData(reference, scope);
  if (!template.references.every(isKnown)) return undefined;
  return { value: renderTemplate(template, { ...scope.values, [EXPRESSION_ROOT]: { ...expressions } }) };
}

/** More is not sent for a preview. */
const MAX_CALL_CHARACTERS = 500_000;

/**
 * The request that evaluates the expressions of a field with the data that they name, as JSON. Undefined without
 * expressions, while data is missing, and when there is too much of it.
 */
export function expressionCall(field: unknown, scope: StepScope): string | undefined {
  const { expressions } = compileTemplate((field ?? null) as JsonValue);
  if (expressions.length === 0 || missingSources(field, scope).length > 0) return undefined;
  const scripts = expressions.map(scriptReferences);
  const names = (name: string): boolean =>
    expressions.some((source) => new RegExp(`\\b${name}\\b`).test(source));
  if (names("item") && scope.insideLoop && scope.values.item === undefined) return undefined;
  const named = new Set(scripts.flatMap(({ references }) => references.map(({ stepId }) => stepId)));
  const readsAll = scripts.some(({ readsAllSteps }) => readsAllSteps);
  const { input, steps = {}, vars, item, index, workflow } = scope.values;
  const values = {
    ...(names("input") && { input }),
    steps: Object.fromEntries(Object.entries(steps).filter(([id]) => readsAll || named.has(id))),
    ...(names("vars") && { vars }),
    ...(names("item") && { item }),
    ...(names("index") && { index }),
    ...(names("workflow") && { workflow }),
  };
  const call = JSON.stringify({ expressions, values });
  return call.length > MAX_CALL_CHARACTERS ? undefined : call;
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
