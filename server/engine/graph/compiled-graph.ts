import type { Edge, Graph, Step } from "../../../contract/graph.ts";
import { isDisabled } from "../../../contract/graph/disabled.ts";
import { dependenciesOf, type DependencyOptions } from "../../../contract/graph/order.ts";
import {
  expressionOf,
  innerGraph,
  iterationCheck,
  listedSecrets,
  ownReferences,
  referredStepIds,
  scriptsOf,
} from "../../../contract/graph/step-references.ts";
import type { Template } from "../../../contract/placeholders/compile.ts";
import type { Reference } from "../../../contract/placeholders/reference.ts";
import { findStepType, traitsOf } from "../../../contract/steps/catalogue.ts";
import { compileStep } from "../../../contract/steps/compile-step.ts";
import type { StepTraits } from "../../../contract/steps/step-type.ts";
import { MAX_BUFFERED } from "../journal/recorder.ts";

export interface CompiledStep {
  id: string;
  /** The canonical name: `agent` for `agent_call`. */
  type: string;
  template: Template;
  /** Steps whose results this one reads, itself or through the inner steps of a foreach. */
  refersTo: string[];
  vars: string[];
  secrets: string[];
  /** The waiting steps whose resume URL it sends. */
  resumes: string[];
  /** Those that the runner itself receives. */
  listedSecrets: readonly string[];
  /** The `{{= }}` expressions of its fields, evaluated before the fields are rendered. */
  expressions: readonly string[];
  readsRequest: boolean;
  incoming: Edge[];
  outgoing: Edge[];
  waitsFor: string[];
  join: "all" | "any" | "first";
  /** Steps that join on the first success and that all edges of this one lead to. They decide whether its failure counts. */
  racesTo: string[];
  /** It does not run: when it is its turn, the run continues along its edges without a condition. */
  disabled: boolean;
  maxRetries: number;
  backoffMultiplier: number;
  timeoutMs: number | undefined;
  continueOnError: boolean;
  /** A failed item of a foreach is part of its output. */
  continueOnItemError: boolean;
  /** How the output chooses among the outgoing edges; undefined when it does not. */
  branching: StepTraits["branching"];
  /** Its expressions or its code read the outputs that it refers to, whole. */
  readsScope: boolean;
  /** Computes only: it runs inline, without a timer and without a signal to cancel it. */
  pure: boolean;
  /** The inner graph of a loop. */
  inner: CompiledGraph | undefined;
  /** The comparison that a loop checks before each iteration, in the scope of the iteration. */
  check: CompiledStep | undefined;
}

export interface CompiledGraph {
  /** In topological order: each step after all that it depends on. */
  steps: Map<string, CompiledStep>;
  /** By step, the steps that read its output without an edge from it and therefore wait for it. */
  waiters: Map<string, string[]>;
  /** By step, the steps that read its output. When all of them have ended, memory drops the output. */
  readers: Map<string, string[]>;
  /** Every secret that a step names, so that the run can redact them all. */
  secrets: string[];
  /** A step may read the request that started the task. Only then is it stored with the task. */
  readsRequest: boolean;
  /** A step may start other tasks, which end with this one. */
  startsTasks: boolean;
  /** Only pure steps, few enough for one write: the task ends within the turn that accepts it and needs no slot. */
  onlyComputes: boolean;
  /** A step joins on the first success, which ends the other branches. */
  hasRace: boolean;
}

/** The graph was validated when it was saved. */
export function compileGraph(graph: Graph, options: DependencyOptions = {}): CompiledGraph {
  const byId = new Map(graph.steps.map((step) => [step.stepId, step]));
  // A step's template is parsed once: a graph of a megabyte takes 100 ms.
  const parsed = new Map(graph.steps.map((step) => [step.stepId, parseStep(step)]));
  const { steps: dependencies, order } = dependenciesOf(graph, {
    referred: (id) => parsed.get(id)?.refersTo ?? [],
    ...options,
  });
  const steps = new Map<string, CompiledStep>();
  const waiters = new Map<string, string[]>();
  const readers = new Map<string, string[]>();
  const secrets = new Set<string>();
  for (const id of order) {
    const { incoming, outgoing, waitsFor } = dependencies.get(id)!;
    const step = compileOne(byId.get(id)!, parsed.get(id)!, { incoming, outgoing, waitsFor });
    if (parsed.get(id)!.readsAllSteps)
      step.refersTo = [...new Set([...step.refersTo, ...earlierThan(step, steps)])];
    steps.set(id, step);
    for (const source of waitsFor) append(waiters, source, id);
    for (const source of step.refersTo) append(readers, source, id);
    for (const name of [...step.secrets, ...(step.inner?.secrets ?? []), ...(step.check?.secrets ?? [])])
      secrets.add(name);
  }
  for (const step of steps.values()) if (step.join === "first") findBranches(step, steps, waiters);
  return {
    steps,
    waiters,
    readers,
    secrets: [...secrets],
    readsRequest: [...steps.values()].some(
      (step) => step.readsRequest || step.inner?.readsRequest === true || step.check?.readsRequest === true,
    ),
    startsTasks: [...steps.values()].some(({ type, inner }) =>
      inner === undefined ? traitsOf(type).startsTasks === true : inner.startsTasks,
    ),
    onlyComputes:
      steps.size <= MAX_BUFFERED &&
      [...steps.values()].every(({ pure, maxRetries }) => pure && maxRetries === 0),
    hasRace: [...steps.values()].some(({ join }) => join === "first"),
  };
}

interface ParsedStep {
  template: Template;
  refersTo: string[];
  readsAllSteps: boolean;
}

function parseStep(step: Step): ParsedStep {
  const template = compileStep(step);
  return {
    template,
    refersTo: referredStepIds(step, 0, template),
    readsAllSteps: scriptsOf(step, template).some((script) => script.readsAllSteps),
  };
}

/** The branches of a join are the steps that lead to it and to nothing else: no other step needs them once it has started. */
function findBranches(
  join: CompiledStep,
  steps: ReadonlyMap<string, CompiledStep>,
  waiters: ReadonlyMap<string, string[]>,
): void {
  const branches = new Set([join.id]);
  for (const step of [...steps.values()].toReversed()) {
    const next = [...step.outgoing.map(({ target }) => target), ...(waiters.get(step.id) ?? [])];
    if (step === join || next.length === 0 || !next.every((id) => branches.has(id))) continue;
    branches.add(step.id);
    step.racesTo.push(join.id);
  }
}

/** The steps of the same graph that have ended when this one starts. */
function earlierThan(step: CompiledStep, steps: ReadonlyMap<string, CompiledStep>): string[] {
  const earlier = new Set<string>();
  const next = [step];
  for (let at = next.pop(); at !== undefined; at = next.pop())
    for (const id of [...at.incoming.map(({ source }) => source), ...at.waitsFor]) {
      const before = steps.get(id);
      if (before === undefined || earlier.has(id)) continue;
      earlier.add(id);
      next.push(before);
    }
  return [...steps.keys()].filter((id) => earlier.has(id));
}

const NO_LINKS = { incoming: [], outgoing: [], waitsFor: [] };

function compileOne(
  step: Step,
  { template, refersTo }: ParsedStep,
  links: Pick<CompiledStep, "incoming" | "outgoing" | "waitsFor">,
): CompiledStep {
  const references = ownReferences(step, template);
  const inner = innerGraph(step);
  const check = iterationCheck(step);
  const traits = traitsOf(step.type);
  const scripts = scriptsOf(step, template);
  const evaluates = expressionOf(step) !== undefined || scripts.length > 0;
  return {
    id: step.stepId,
    type: findStepType(step.type)?.type ?? step.type,
    template,
    refersTo,
    vars: namesUnder(references, "vars"),
    secrets: namesUnder(references, "secrets"),
    resumes: references.flatMap(({ root, path }) =>
      root === "task" && path[0] === "resumeUrls" ? [String(path[1])] : [],
    ),
    listedSecrets: listedSecrets(step),
    expressions: template.expressions,
    // A JSONata expression sees the whole scope, also through `$$`.
    readsRequest:
      expressionOf(step) !== undefined ||
      scripts.some(({ readsTrigger }) => readsTrigger) ||
      references.some(isOfRequest),
    ...links,
    join: step["join"] === "any" || step["join"] === "first" ? step["join"] : "all",
    racesTo: [],
    disabled: isDisabled(step),
    maxRetries: Number(step["maxRetries"] ?? 0),
    backoffMultiplier: Number(step["backoffMultiplier"] ?? 2),
    timeoutMs: (step["timeoutMs"] as number | null | undefined) ?? undefined,
    continueOnError: step["onError"] === "continue",
    continueOnItemError: step["onItemError"] === "continue",
    branching: traits.branching,
    readsScope: evaluates,
    pure: template.expressions.length === 0 && (traits.pure?.(step) ?? false),
    inner: inner === undefined ? undefined : compileGraph(inner as Graph),
    check: check === undefined ? undefined : compileOne(check, parseStep(check), NO_LINKS),
  };
}

function isOfRequest({ root, path }: Reference): boolean {
  return root === "trigger" && path[0] !== "kind";
}

function namesUnder(references: readonly Reference[], root: string): string[] {
  return [
    ...new Set(references.filter((reference) => reference.root === root).map(({ path }) => String(path[0]))),
  ];
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
