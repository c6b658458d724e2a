import type { Problem, Step, Validation } from "../../contract/graph.ts";
import { isGraphWide } from "../../contract/graph/graph-wide-errors.ts";
import { iterationIds } from "../../contract/graph/identity.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { validationWork, type ValidationOptions } from "../../contract/graph/validate.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { appProblems } from "../apps/graph-problems.ts";
import { inTurns } from "../lib/in-turns.ts";
import { findJsonataProblems } from "./check-jsonata.ts";
import { findScriptProblems } from "./check-scripts.ts";
import { AppError } from "../lib/errors.ts";
import type { LooseGraph } from "./version.sql.ts";

/** What prevents saving or publishing the graph, and its warnings. */
export async function findProblems(graph: LooseGraph, options: ValidationOptions): Promise<Validation> {
  const { errors, warnings } = await validateInTurns(graph, options);
  // Code is read in steps of the expected shape only.
  if (errors.length === 0)
    errors.push(...(await inTurns(findScriptProblems(graph))), ...(await findJsonataProblems(graph)));
  errors.push(...appProblems(graph));
  return { valid: errors.length === 0, errors, warnings };
}

/** A graph of thousands of steps would block the event loop for a tenth of a second. */
export function validateInTurns(graph: LooseGraph, options: ValidationOptions): Promise<Validation> {
  return inTurns(validationWork(graph, options));
}

/** Throws `invalid_workflow` with all errors; returns the warnings. */
export async function checkGraph(graph: LooseGraph, options: ValidationOptions): Promise<Problem[]> {
  const { valid, errors, warnings } = await findProblems(graph, options);
  if (!valid) throw invalidGraph(errors, warnings);
  return warnings;
}

/** Throws `invalid_workflow` unless these steps can run. Errors of other steps do not matter. */
export async function checkSteps(
  graph: LooseGraph,
  stepIds: readonly string[],
  options: ValidationOptions,
): Promise<void> {
  const { errors, warnings } = await validateInTurns(graph, options);
  const chosen = new Set<unknown>(stepIds);
  const steps = graph.steps.filter(isRecord).filter((step) => chosen.has(step["stepId"]));
  const ids = new Set(steps.flatMap(idsWithin));
  const relevant = errors.filter((error) => isGraphWide(error) || ids.has(error.stepId));
  if (relevant.length > 0) throw invalidGraph(relevant, warnings);
}

/** The ids of a step and of the steps inside it. */
function idsWithin(step: Record<string, unknown>): unknown[] {
  return [step["stepId"], ...(innerGraph(step)?.steps ?? []).filter(isRecord).flatMap(idsWithin)];
}

function invalidGraph(errors: Problem[], warnings: Problem[]): AppError {
  const [first] = errors;
  const summary =
    errors.length === 1 ? "The graph is not valid" : `The graph has ${errors.length} errors; the first`;
  return new AppError("invalid_workflow", `${summary}: ${first?.message}`, { details: { errors, warnings } });
}

/** Tells ambiguous ids that this graph does not have. A stored graph with one can still be edited. */
export function isNewTo(stored: LooseGraph): (stepId: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (stepId) => {
    // Asked for in the middle of a validation: only the ids are read, which takes a millisecond.
    known ??= new Set(ambiguousIds(stored));
    return !known.has(stepId);
  };
}

function* ambiguousIds({ steps }: { steps?: unknown }): Generator<string> {
  const named = (Array.isArray(steps) ? (steps as unknown[]) : []).filter(
    (step): step is Step => isRecord(step) && typeof step["stepId"] === "string",
  );
  for (const { stepId } of iterationIds(named)) yield stepId;
  for (const step of named) yield* ambiguousIds(innerGraph(step) ?? {});
}
