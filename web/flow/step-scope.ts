import type { Step } from "../../contract/graph.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Scope } from "../../contract/placeholders/render.ts";
import { chipLabel, findChips } from "./chips.ts";
import type { Draft } from "./draft.ts";
import { pathSegment, pathsOf } from "./pickable-values.ts";
import { loopsAround } from "./scopes.ts";
import { stepsBefore } from "./step-order.ts";
import { stepTitle } from "../../contract/graph/step-titles.ts";

/** One group of the values that a step can use: an earlier step, the input, the item of a loop, the variables. */
export interface ValueSource {
  kind: "item" | "step" | "input" | "variables" | "run";
  /** Its placeholder path, such as `steps.order.output`; of the variables and the run, the path of each value. */
  path: string;
  title: string;
  stepId?: string;
  value: unknown;
  /** False until a run, or pinned data, gives it a value. */
  hasValue: boolean;
  /** What the step usually returns, while no run has given it a value. */
  sample?: unknown;
  /** The input fields that the workflow declares: known before there is a value. */
  fields?: readonly string[];
}

/** What placeholders mean in one step: the values they can name, and the titles they are shown with. */
export interface StepScope {
  sources: readonly ValueSource[];
  titles: ReadonlyMap<string, string>;
  insideLoop: boolean;
  /** Undefined while the variables are loading, so that none is reported as unknown. */
  variables: readonly ScopeVariable[] | undefined;
  values: Scope;
}

export interface ScopeVariable {
  name: string;
  secret: boolean;
  value?: unknown;
}

export interface ScopeData {
  input: unknown;
  hasRun: boolean;
  outputs: ReadonlyMap<string, unknown>;
  /** What steps usually return, for those that have not run. */
  samples?: ReadonlyMap<string, unknown>;
  /** The item of the innermost loop that is looked at, when there was a run. */
  item?: { value: unknown; index: number } | undefined;
  variables: readonly ScopeVariable[] | undefined;
  workflow: { id: string; name: string };
}

const SECRET = "•••";

/** Secrets are never shown, so their values are masked here already. */
export function stepScope(draft: Draft, nodeId: string, data: ScopeData): StepScope {
  const insideLoop = loopsAround(draft, nodeId).length > 0;
  const { variables = [] } = data;
  const steps = visibleSteps(draft, nodeId);
  const sources: ValueSource[] = [
    ...(insideLoop ? [source("item", "item", "This item", data.item?.value, data.item !== undefined)] : []),
    ...steps.map((step) => ({
      ...source(
        "step",
        `steps${pathSegment(step.stepId)}.output`,
        stepTitle(step),
        data.outputs.get(step.stepId),
        data.outputs.has(step.stepId),
      ),
      stepId: step.stepId,
      ...(data.outputs.has(step.stepId) || !data.samples?.has(step.stepId)
        ? {}
        : { sample: data.samples.get(step.stepId) }),
    })),
    {
      ...source("input", "input", "Input", data.input, data.hasRun),
      fields: Object.keys(draft.inputSchema?.properties ?? {}),
    },
    ...variables.map(({ name, secret, value }) => {
      const path = `${secret ? "secrets" : "vars"}${pathSegment(name)}`;
      return source("variables", path, name, secret ? SECRET : value, true);
    }),
    ...(insideLoop ? [source("run", "index", "Item index", data.item?.index, data.item !== undefined)] : []),
    source("run", "now", "Time of the step", undefined, false),
    source("run", "task.id", "Run ID", undefined, false),
    source("run", "workflow.id", "Workflow ID", data.workflow.id, true),
    source("run", "workflow.name", "Workflow name", data.workflow.name, true),
  ];
  return {
    sources,
    titles: new Map(steps.map((step) => [step.stepId, stepTitle(step)])),
    insideLoop,
    variables: data.variables,
    values: {
      input: (data.hasRun ? (data.input ?? null) : null) as JsonValue,
      steps: Object.fromEntries(
        steps.map(({ stepId: id }) => [id, { output: (data.outputs.get(id) ?? null) as JsonValue }]),
      ),
      ...(data.item === undefined ? {} : { item: data.item.value as JsonValue, index: data.item.index }),
      vars: valuesOf(variables.filter(({ secret }) => !secret)),
      secrets: valuesOf(
        variables.filter(({ secret }) => secret).map(({ name }) => ({ name, value: SECRET })),
      ),
      workflow: data.workflow,
    },
  };
}

function source(
  kind: ValueSource["kind"],
  path: string,
  title: string,
  value: unknown,
  hasValue: boolean,
): ValueSource {
  return { kind, path, title, value, hasValue };
}

function valuesOf(variables: readonly { name: string; value?: unknown }[]): Record<string, JsonValue> {
  return Object.fromEntries(variables.map(({ name, value }) => [name, (value ?? null) as JsonValue]));
}

/** The steps before a step, nearest first: in its own loop, then around each loop outwards. */
function visibleSteps(draft: Draft, nodeId: string): Step[] {
  const loops = loopsAround(draft, nodeId);
  return [...loops, { graph: draft, stepId: loops.at(-1)?.loop.stepId ?? nodeId }].flatMap(
    ({ graph, stepId }) =>
      stepsBefore(graph, stepId).flatMap((id) => graph.steps.find((step) => step.stepId === id) ?? []),
  );
}

/** A value to insert, in words, with its sample. */
export interface ScopeOption {
  path: string;
  label: string;
  sample: unknown;
  hasSample: boolean;
}

export function scopeOptions(scope: StepScope): ScopeOption[] {
  return scope.sources.flatMap((from) => {
    const { path, hasValue } = from;
    const shown = shownValue(from);
    const known =
      shown === undefined ? [{ placeholder: path, sample: undefined }] : pathsOf(path, shown.value);
    const option = (placeholder: string, sample: unknown, hasSample: boolean): ScopeOption => ({
      path: placeholder,
      label: labelOfPath(placeholder, scope),
      sample,
      hasSample,
    });
    return [
      ...known.map(({ placeholder, sample }) => option(placeholder, sample, hasValue)),
      ...fieldsWithoutValue(from).map(({ path: field }) => option(field, undefined, false)),
    ];
  });
}

/** The value of the last run, or the sample; undefined when there is neither. */
export function shownValue({ value, hasValue, sample }: ValueSource): { value: unknown } | undefined {
  if (hasValue) return { value };
  return sample === undefined ? undefined : { value: sample };
}

/** Declared input fields that the last run, if any, had no value for. */
export function fieldsWithoutValue({
  path,
  value,
  fields = [],
}: ValueSource): { path: string; name: string }[] {
  return fields
    .filter((name) => !isRecord(value) || !(name in value))
    .map((name) => ({ path: `${path}${pathSegment(name)}`, name }));
}

/** `steps.order.output.total` → `The order › total`. */
export function labelOfPath(path: string, { titles }: Pick<StepScope, "titles">): string {
  const [chip] = findChips(`{{${path}}}`);
  return chip === undefined ? path : chipLabel(chip.reference, titles);
}

const MAX_OPTIONS = 40;

/** The options that match typed text: those whose last part begins with it first, then those that contain it. */
export function matchingOptions(options: readonly ScopeOption[], typed: string): ScopeOption[] {
  const text = typed.trim().toLowerCase();
  const rank = ({ label, path }: ScopeOption): number => {
    const words = label.toLowerCase();
    if (text === "") return 1;
    if (words.startsWith(text) || lastPart(words).startsWith(text)) return 0;
    return words.includes(text) || path.toLowerCase().includes(text) ? 1 : 2;
  };
  return options
    .map((option) => ({ option, rank: rank(option) }))
    .filter((entry) => entry.rank < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_OPTIONS)
    .map(({ option }) => option);
}

function lastPart(label: string): string {
  return label.split(/[.›]\s*/).at(-1) ?? label;
}
