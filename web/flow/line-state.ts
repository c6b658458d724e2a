import type { Edge, Step } from "../../contract/graph.ts";
import { caseKey, edgeCase, edgeCondition } from "../../contract/graph/branches.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import type { StepProgress } from "./run-progress.ts";

/** What the last run did with a line: took it, takes it now, or left it out. Undefined before a run. */
export type LineState = "taken" | "active" | "untaken" | undefined;

interface Ends {
  source: StepProgress | undefined;
  target: StepProgress | undefined;
  /** The output of the source; undefined when it is not known. */
  output?: unknown;
  /** Other lines of the same source: a switch takes its default only if no case matches. */
  siblings?: readonly Edge[];
}

export function lineState(edge: Edge | undefined, from: Step | undefined, ends: Ends): LineState {
  const { source, target } = ends;
  if (source === undefined) return undefined;
  if (source.status === "skipped" || target?.status === "skipped") return "untaken";
  if (source.status !== "completed" && source.status !== "failed") return undefined;
  if (edge !== undefined && !isTaken(edge, from, source, ends)) return "untaken";
  if (target === undefined) return undefined;
  return target.status === "running" ? "active" : "taken";
}

function isTaken(edge: Edge, from: Step | undefined, source: StepProgress, ends: Ends): boolean {
  const condition = edgeCondition(edge);
  if (source.status === "failed") return condition === "error" || from?.["onError"] === "continue";
  if (condition === "error") return false;
  // Without the output, a target that ran is the only sign.
  if (ends.output === undefined) return true;
  const timedOut = isRecord(ends.output) && ends.output["timedOut"] === true;
  if (condition === "timeout") return timedOut;
  if (timedOut && (ends.siblings ?? []).some((other) => edgeCondition(other) === "timeout")) return false;
  if (condition !== undefined) return condition === String(ends.output);
  if (traitsOf(from?.type).branching !== "case") return true;
  const key = caseKey(ends.output);
  const value = edgeCase(edge);
  if (value !== undefined) return value === key;
  return !(ends.siblings ?? []).some((other) => edgeCase(other) !== undefined && edgeCase(other) === key);
}

/** "3 items" for a list that a step handed on; undefined for any other output. */
export function itemCount(output: unknown): string | undefined {
  if (!Array.isArray(output)) return undefined;
  return output.length === 1 ? "1 item" : `${output.length} items`;
}
