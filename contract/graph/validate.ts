import type { Validation } from "../graph.ts";
import type { Reference } from "../placeholders/reference.ts";
import { compileStep, MAX_PLACEHOLDERS } from "../steps/compile-step.ts";
import { inputSchemaProblems } from "../input/input-schema.ts";
import { readEdges } from "./edges.ts";
import { isDisabled } from "./disabled.ts";
import { checkFields, reportTemplate } from "./fields.ts";
import {
  checkIterationIds,
  isVisible,
  labelOf,
  readSteps,
  type ParsedStep,
  type VisibleIds,
} from "./identity.ts";
import { warnAboutMisspelledFields } from "./misspelled-fields.ts";
import { dependenciesOf, type Dependencies } from "./order.ts";
import { checkExpression, checkPlaceholders, checkScripts } from "./references.ts";
import { createReport, quote, quoteAll, type Report } from "./report.ts";
import { innerGraph, iterationCheck, maxNesting, ownReferences } from "./step-references.ts";
import { warnAboutSelfCall, warnAboutShape, warnToCheck } from "./warnings.ts";

const DEFAULT_MAX_STEPS = 20_000;
const MAX_EDGES_PER_STEP = 10;

export interface ValidationOptions {
  /** Counts the steps inside loops, too. */
  maxSteps?: number;
  /** The workflow of the graph: a step that calls it is reported. */
  workflowId?: string | undefined;
  /** Refuses ids of new steps that equal the path of an iteration. In stored graphs they are only reported. */
  isNewStep?: (stepId: string) => boolean;
}

/** A reference to a step, with the step that contains it. */
interface StepReference {
  reader: ParsedStep;
  stepId: string;
  source: string;
}

interface Walk {
  report: Report;
  maxSteps: number;
  workflowId: string | undefined;
  isNewStep: (stepId: string) => boolean;
  countedSteps: number;
}

/** Finds all problems of a graph of any shape. Never throws and executes nothing. */
export function validateGraph(
  graph: { steps?: unknown; edges?: unknown; inputSchema?: unknown },
  options: ValidationOptions = {},
): Validation {
  const work = validationWork(graph, options);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The same in parts, one for each step: a graph of 500 steps with 10,000 expressions takes 0.2 s. */
export function* validationWork(
  graph: { steps?: unknown; edges?: unknown; inputSchema?: unknown },
  options: ValidationOptions = {},
): Generator<undefined, Validation, undefined> {
  const report = createReport();
  if (graph.inputSchema !== undefined)
    for (const problem of inputSchemaProblems(graph.inputSchema)) report.error("invalid_field", problem);
  yield* checkGraph(graph, undefined, 0, {
    report,
    maxSteps: options.maxSteps ?? DEFAULT_MAX_STEPS,
    workflowId: options.workflowId,
    isNewStep: options.isNewStep ?? (() => false),
    countedSteps: 0,
  });
  return report.result();
}

/** Returns the references that lead out of this graph, for the enclosing graph to check. */
function* checkGraph(
  graph: { steps?: unknown; edges?: unknown },
  outer: VisibleIds | undefined,
  nesting: number,
  walk: Walk,
): Generator<undefined, StepReference[], undefined> {
  const { report } = walk;
  const rawSteps = readList(graph.steps, "steps", report);
  const rawEdges = readList(graph.edges, "edges", report);
  if (!withinLimits(rawSteps, rawEdges, walk)) return [];

  const { all, nodes } = readSteps(rawSteps, outer, report);
  const own = new Set(nodes.map((step) => step.stepId));
  const visible: VisibleIds = { own, outer };
  checkIterationIds(nodes, walk);
  const edges = readEdges(rawEdges, own, report);

  const referencesOf = new Map<string, StepReference[]>();
  const outerReferences: StepReference[] = [];
  for (const step of all) {
    yield;
    const found = checkStep(step, nesting > 0, report);
    yield* checkLoop(step, found, visible, nesting, walk);
    warnAboutSelfCall(step, walk);
    warnAboutMisspelledFields(step, report);
    warnToCheck(step, report);
    for (const reference of found) {
      if (own.has(reference.stepId)) continue;
      if (isVisible(reference.stepId, outer)) outerReferences.push(reference);
      else reportUnknown(reference, report);
    }
    const stepId = step.location.stepId;
    // Of two steps with the same id the first is the node; references of the other do not affect the order.
    if (stepId !== undefined && !referencesOf.has(stepId)) referencesOf.set(stepId, found);
  }

  // By the list as received: a graph whose edges are all invalid is not a sequence.
  const inSequence = rawEdges.length === 0;
  const dependencies = dependenciesOf(
    { steps: nodes, edges },
    {
      inSequence,
      referred: (stepId) => (referencesOf.get(stepId) ?? []).map((reference) => reference.stepId),
    },
  );
  reportCycles(dependencies, report);
  reportOrder(dependencies, referencesOf, report);
  if (inSequence || edges.length > 0) warnAboutShape({ steps: nodes, edges, dependencies }, report);
  return outerReferences;
}

function checkStep(step: ParsedStep, insideLoop: boolean, report: Report): StepReference[] {
  const template = checkFields(step, report);
  if (template === undefined) return [];
  if (!isDisabled(step.fields)) {
    checkPlaceholders(step, template.references, insideLoop, report);
    checkExpression(step, report);
    checkScripts(step, template, report);
  }
  return [...ownReferences(step.fields, template), ...checkIterationFields(step, report)].flatMap(
    ({ stepId, source }) => (stepId === undefined ? [] : [{ reader: step, stepId, source }]),
  );
}

/** The references of the comparison of a loop, which may use `item` and `index`. */
function checkIterationFields(step: ParsedStep, report: Report): readonly Reference[] {
  const check = iterationCheck(step.fields);
  if (check === undefined) return [];
  const template = compileStep(check, MAX_PLACEHOLDERS);
  if (!isDisabled(step.fields)) {
    reportTemplate(step, template, report);
    checkPlaceholders(step, template.references, true, report);
  }
  return template.references;
}

/** References of inner steps to steps outside the loop are added to `found` as references of the loop. */
function* checkLoop(
  step: ParsedStep,
  found: StepReference[],
  visible: VisibleIds,
  nesting: number,
  walk: Walk,
): Generator<undefined, void, undefined> {
  const inner = innerGraph(step.fields);
  if (inner === undefined || isDisabled(step.fields)) return;
  if (nesting >= maxNesting) {
    walk.report.error(
      "invalid_field",
      `${labelOf(step)} is a loop inside ${maxNesting} other loops, which is too deep. Move the inner steps to another workflow.`,
      step.location,
    );
    return;
  }
  for (const reference of yield* checkGraph(inner, visible, nesting + 1, walk)) found.push(reference);
}

function readList(value: unknown, name: string, report: Report): unknown[] {
  if (Array.isArray(value)) return value;
  if (value !== undefined && value !== null)
    report.error("invalid_field", `"${name}" must be a list. Use [] for none.`);
  return [];
}

function withinLimits(steps: readonly unknown[], edges: readonly unknown[], walk: Walk): boolean {
  walk.countedSteps += steps.length;
  if (walk.countedSteps > walk.maxSteps) {
    walk.report.error(
      "invalid_field",
      `A workflow may have at most ${walk.maxSteps} steps. Split it into several workflows.`,
    );
    return false;
  }
  const maxEdges = Math.max(walk.maxSteps, 100) * MAX_EDGES_PER_STEP;
  if (edges.length <= maxEdges) return true;
  walk.report.error(
    "invalid_field",
    `A workflow may have at most ${maxEdges} edges. Split it into several workflows.`,
  );
  return false;
}

function reportUnknown({ reader, stepId, source }: StepReference, report: Report): void {
  report.error(
    "unknown_reference",
    `${labelOf(reader)} refers to ${quote(source)}, but there is no step ${quote(stepId)} in this graph or an enclosing one. Correct the name or add the step.`,
    reader.location,
  );
}

function reportCycles(dependencies: Dependencies, report: Report): void {
  for (const cycle of dependencies.cycles) {
    const [first = ""] = cycle;
    report.error(
      "cycle",
      `The steps ${quoteAll(cycle)} form a cycle. Remove an edge or a reference between them.`,
      { stepId: first },
    );
  }
}

function reportOrder(
  dependencies: Dependencies,
  referencesOf: ReadonlyMap<string, StepReference[]>,
  report: Report,
): void {
  for (const [stepId, { refersAhead, waitsFor }] of dependencies.steps) {
    if (refersAhead.length === 0 && waitsFor.length === 0) continue;
    const ahead = new Set(refersAhead);
    const waits = new Set(waitsFor);
    for (const reference of referencesOf.get(stepId) ?? []) {
      const { reader, source } = reference;
      if (ahead.has(reference.stepId))
        report.error("forward_reference", describeAhead(reference, stepId), reader.location);
      else if (waits.delete(reference.stepId))
        report.warning(
          "implicit_dependency",
          `${labelOf(reader)} refers to ${quote(source)} without an edge that puts it after ${quote(reference.stepId)}. It waits for that step; add an edge to show the dependency.`,
          reader.location,
        );
    }
  }
}

function describeAhead({ reader, source, stepId }: StepReference, ownerId: string): string {
  const label = labelOf(reader);
  return stepId === ownerId
    ? `${label} refers to ${quote(source)}, which does not exist until the step has ended. Refer to an earlier step.`
    : `${label} refers to ${quote(source)}, but ${quote(stepId)} runs later. Refer to an earlier step, or change the edges.`;
}
