import { pathUnder } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { type RenderBudget, renderTemplate, type Scope } from "../../../contract/placeholders/render.ts";
import { scriptValues } from "../../lib/script-values.ts";
import { AppError } from "../../lib/errors.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import type { Prepared, Run, RunScope } from "./run.ts";

type Visible = Omit<Scope, "secrets">;
type ReferredStep = NonNullable<Scope["steps"]>[string];

/** Renders the placeholders of a step. Loads only the values that they refer to. */
export async function prepareFields(run: Run, scope: RunScope, step: CompiledStep): Promise<Prepared> {
  const visible = visibleTo(run, scope, step);
  if (step.refersTo.length > 0) {
    const steps: NonNullable<Scope["steps"]> = {};
    for (const id of step.refersTo) steps[id] = await referredStep(run, scope, id);
    visible.steps = steps;
  }
  if (step.vars.length > 0) visible.vars = await run.deps.vault.variables(run.task.ownerId, step.vars);
  const budget = renderBudget(run);
  // Before expressions receive a copy.
  if (step.readsScope) countScope(visible, budget);
  const values =
    step.expressions.length > 0
      ? await evaluateExpressions(run, scope, step.expressions, visible)
      : undefined;
  return render(run, step, visible, budget, values);
}

/** The same without loading anything; undefined when a value is not in memory. */
export function prepareFieldsNow(run: Run, scope: RunScope, step: CompiledStep): Prepared | undefined {
  if (step.vars.length > 0 || step.expressions.length > 0 || step.readsScope) return undefined;
  const visible = visibleTo(run, scope, step);
  if (step.refersTo.length > 0) {
    const steps: NonNullable<Scope["steps"]> = {};
    for (const id of step.refersTo) {
      const referred = findReferred(run, scope, id);
      if ("path" in referred) return undefined;
      steps[id] = referred;
    }
    visible.steps = steps;
  }
  return render(run, step, visible, renderBudget(run));
}

function visibleTo(run: Run, scope: RunScope, step: CompiledStep): Visible {
  const { task, workflow, deps } = run;
  const visible: Visible = {
    input: task.input,
    trigger: { kind: task.trigger, ...task.options?.request },
    task: { id: task.id },
    workflow: { id: workflow.id, name: workflow.name },
    now: deps.clock.now(),
  };
  if (step.resumes.length > 0)
    visible.task = { id: task.id, resumeUrls: resumeUrlsOf(run, scope, step.resumes) };
  if (scope.index !== undefined) {
    visible.item = scope.item ?? null;
    visible.index = scope.index;
  }
  return visible;
}

function renderBudget({ deps: { budgets } }: Run): RenderBudget {
  const { measure, maxValueBytes, valueTooLarge } = budgets;
  return {
    measure,
    left: maxValueBytes,
    refuse: (value) => valueTooLarge("The input of the step", measure(value, maxValueBytes)),
  };
}

function render(
  run: Run,
  step: CompiledStep,
  visible: Visible,
  budget: RenderBudget,
  expressions?: Record<string, JsonValue>,
): Prepared {
  const full: Scope = step.secrets.length > 0 ? { ...visible, secrets: run.secrets } : visible;
  if (expressions !== undefined) full["="] = expressions;
  const fields = renderTemplate(step.template, full, budget) as Record<string, JsonValue>;
  return { fields, size: run.deps.budgets.maxValueBytes - budget.left, scope: visible };
}

/** Resume URLs of steps in the same graph, or in one around it. */
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

async function referredStep(run: Run, scope: RunScope, id: string): Promise<ReferredStep> {
  const referred = findReferred(run, scope, id);
  if (!("path" in referred)) return referred;
  const { path, ...step } = referred;
  return { ...step, output: await run.outputs.get(path) };
}

/** With `path` when the output has to be loaded. */
function findReferred(
  run: Run,
  scope: RunScope,
  id: string,
): ReferredStep | (ReferredStep & { path: string }) {
  for (let at: RunScope | undefined = scope; at !== undefined; at = at.parent) {
    if (!at.graph.steps.has(id)) continue;
    const path = pathUnder(at.prefix, id);
    const { ended } = run.memoryOf(path);
    if (ended === undefined || ended.status === "skipped")
      return { output: null, status: ended?.status ?? "pending", error: null };
    const error = ended.error === null ? null : { ...ended.error };
    const output = run.outputs.peek(path);
    return output === undefined
      ? { path, status: ended.status, error }
      : { output, status: ended.status, error };
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
