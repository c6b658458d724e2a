import { isStorableText } from "../api.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { isForbiddenName } from "../placeholders/reference.ts";
import type { Step } from "../graph.ts";
import { traitsOf } from "../steps/catalogue.ts";
import { quote, type ProblemLocation, type Report } from "./report.ts";

/** The ids that a step may refer to: those of its own graph, then those of the enclosing graphs. */
export interface VisibleIds {
  own: ReadonlySet<string>;
  outer: VisibleIds | undefined;
}

export interface ParsedStep {
  fields: Record<string, unknown>;
  location: ProblemLocation;
  /** Position in its list, from 0. */
  index: number;
}

/** How messages name a step: by its id, else by its position. Built only for a step with a problem. */
export function labelOf({ location, index }: Omit<ParsedStep, "fields">): string {
  return location.stepId === undefined ? positionOf(index) : `Step ${quote(location.stepId)}`;
}

function positionOf(index: number): string {
  return `Step ${index + 1} of the list`;
}

export interface ParsedSteps {
  /** Every object in the list, so that its fields are checked even when its id is wrong. */
  all: ParsedStep[];
  /** Those with a unique id: the nodes of the graph. */
  nodes: Step[];
}

const MAX_ID_LENGTH = 200;

export function readSteps(
  raw: readonly unknown[],
  outer: VisibleIds | undefined,
  report: Report,
): ParsedSteps {
  const all: ParsedStep[] = [];
  const nodes: Step[] = [];
  const seen = new Set<string>();

  raw.forEach((fields, index) => {
    if (!isRecord(fields)) {
      report.error("invalid_field", `${positionOf(index)} must be an object with a stepId and a type.`);
      return;
    }
    const stepId = readStepId(fields, index, report);
    const location = stepId === undefined ? {} : { stepId };
    all.push({ fields, location, index });
    if (stepId === undefined) return;
    if (seen.has(stepId) || isVisible(stepId, outer)) {
      const where = seen.has(stepId) ? "more than one step" : "a step outside this loop as well";
      report.error(
        "duplicate_step_id",
        `The stepId ${quote(stepId)} is used by ${where}. Give every step a unique id.`,
        location,
      );
      return;
    }
    seen.add(stepId);
    nodes.push(fields as Step);
  });
  return { all, nodes };
}

/**
 * The iterations of a loop `each` are recorded as `each[0]`, `each[1]` …: a step with such an id would share its results
 * with them.
 */
export function* iterationIds(steps: readonly Step[]): Generator<{ stepId: string; loopId: string }> {
  const loops = new Set(steps.filter(({ type }) => traitsOf(type).loop).map(({ stepId }) => stepId));
  if (loops.size === 0) return;
  for (const { stepId } of steps) {
    const loopId = [...stepId.matchAll(/\[\d/g)]
      .map(({ index }) => stepId.slice(0, index))
      .find((id) => loops.has(id));
    if (loopId !== undefined) yield { stepId, loopId };
  }
}

export function checkIterationIds(
  steps: readonly Step[],
  { report, isNewStep }: { report: Report; isNewStep(stepId: string): boolean },
): void {
  for (const { stepId, loopId } of iterationIds(steps)) {
    const message = `The stepId ${quote(stepId)} is the name of an iteration of the loop ${quote(loopId)}. Rename the step.`;
    if (isNewStep(stepId)) report.error("duplicate_step_id", message, { stepId });
    else report.warning("ambiguous_step_id", message, { stepId });
  }
}

export function isVisible(stepId: string, ids: VisibleIds | undefined): boolean {
  for (let scope = ids; scope !== undefined; scope = scope.outer) if (scope.own.has(stepId)) return true;
  return false;
}

function readStepId(fields: Record<string, unknown>, index: number, report: Report): string | undefined {
  const stepId = fields["stepId"];
  if (stepId === undefined || stepId === null || (typeof stepId === "string" && stepId.trim() === "")) {
    report.error(
      "missing_step_id",
      `${positionOf(index)} has no stepId. Give it a short name, such as "fetch-orders".`,
    );
    return undefined;
  }
  if (!isUsableId(stepId)) {
    const shown = typeof stepId === "string" ? quote(stepId) : "a value that is not text";
    report.error(
      "invalid_field",
      `${positionOf(index)} has ${shown} as its stepId. It must be text of at most ${MAX_ID_LENGTH} characters, without NUL or lone surrogates, and not a reserved word.`,
    );
    return undefined;
  }
  return stepId;
}

function isUsableId(stepId: unknown): stepId is string {
  return (
    typeof stepId === "string" &&
    stepId.length <= MAX_ID_LENGTH &&
    isStorableText(stepId) &&
    !isForbiddenName(stepId)
  );
}
