import { pathUnder } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { type RenderBudget, renderTemplate, type Scope } from "../../../contract/placeholders/render.ts";
import { scriptValues } from "../../lib/script-values.ts";
import { AppError } from "../../lib/errors.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import type { Prepared, Run, RunScope } from "./run.ts";

/** Renders the placeholders of a step. Loads only the values that they refer to. */
export async function prepareFields(run: Run, scope: RunScope, step: CompiledStep): Promise<Prepared> {
  const { task, workflow, deps } = run;
  const visible: Omit<Scope, "secrets"> = {
    input: task.input,
    trigger: { kind: task.trigger, ...task.options?.request },
    task: { id: task.id },
    workflow: { id: workflow.id, name: workflow.name },
    now: deps.clock.now(),
  };
  if (step.resumes.length > 0)
    visible.task = { id: task.id, resumeUrls: resumeUrlsOf(run, scope, step.resumes) };
  if (step.refersTo.length > 0) visible.steps = await referredSteps(run, scope, step.refersTo);
  if (step.vars.length > 0) visible.vars = await deps.vault.variables(task.ownerId, step.vars);
  if (scope.index !== undefined) {
    visible.item = scope.item ?? null;
    visible.index = scope.index;
  }
  const full: Scope = step.secrets.length > 0 ? { ...visible, secrets: run.secrets } : visible;
  const { measure, maxValueBytes, valueTooLarge } = deps.budgets;
  const budget: RenderBudget = {
    measure,
    left: maxValueBytes,
    refuse: (value) => valueTooLarge("The input of the step", measure(value, maxValueBytes)),
  };
  // Before expressions receive a copy.
  if (step.readsScope) countScope(visible, budget);
  if (step.expressions.length > 0)
    full["="] = await evaluateExpressions(run, scope, step.expressions, visible);
  const fields = renderTemplate(step.template, full, budget) as Record<string, JsonValue>;
  return { fields, size: maxValueBytes - budget.left, scope: visible };
}

/** Of steps in the same graph, or in one around it. */
function resumeUrlsOf(run: Run, scope: RunScope, ids: readonly string[]): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const id of ids)
    for (let at: RunScope | undefined = scope; at !== undefined; at = at.parent)
      if (at.graph.steps.has(id)) {
        urls[id] = run.deps.resumeUrl(run.task.id, pathUnder(at.prefix, id));
        break;
      }
  return urls;
}

/** All expressions of a step are one call of the sandbox. They do not see secrets. */
async function evaluateExpressions(
  run: Run,
  scope: RunScope,
  sources: readonly string[],
  visible: Omit<Scope, "secrets">,
): Promise<Record<string, JsonValue>> {
  const values = await run.deps.evaluate({
    ownerId: run.task.ownerId,
    sources,
    values: scriptValues(visible),
    signal: scope.stop.signal,
  });
  return Object.fromEntries(sources.map((source, index) => [source, values[index] ?? null]));
}

/** An expression receives the outputs as a copy, whole. */
function countScope({ steps = {}, item = null }: Scope, budget: RenderBudget): void {
  for (const value of [item, ...Object.values(steps).map(({ output }) => output ?? null)]) {
    budget.left -= budget.measure(value, budget.left);
    if (budget.left < 0) throw budget.refuse(value);
  }
}

async function referredSteps(
  run: Run,
  scope: RunScope,
  ids: readonly string[],
): Promise<NonNullable<Scope["steps"]>> {
  const steps: NonNullable<Scope["steps"]> = {};
  for (const id of ids) steps[id] = await referredStep(run, scope, id);
  return steps;
}

async function referredStep(run: Run, scope: RunScope, id: string) {
  for (let at: RunScope | undefined = scope; at !== undefined; at = at.parent) {
    if (!at.graph.steps.has(id)) continue;
    const path = pathUnder(at.prefix, id);
    const { ended } = run.memoryOf(path);
    if (ended === undefined || ended.status === "skipped")
      return { output: null, status: ended?.status ?? "pending", error: null };
    const error = ended.error === null ? null : { ...ended.error };
    return { output: await run.outputs.get(path), status: ended.status, error };
  }
  const given = run.task.options?.outputs;
  if (given !== undefined && Object.hasOwn(given, id))
    return { output: given[id] ?? null, status: "completed", error: null };
  if (run.task.options?.stepIds !== undefined) {
    throw new AppError(
      "missing_output",
      `This step needs the output of ${id}. Run that step too, or supply its output.`,
    );
  }
  return { output: null, status: "pending", error: null };
}
