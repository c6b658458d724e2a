import type { Edge, Step } from "../../contract/graph.ts";
import { edgeCase, edgeCondition } from "../../contract/graph/branches.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";

const OUTCOMES = { true: "Yes", false: "No", error: "On error", timeout: "No event in time" } as const;

/** The word on a line: the outcome or the case that takes it. A line that is always taken has none. */
export function edgeLabel(edge: Edge, source?: Step): string | undefined {
  const condition = edgeCondition(edge);
  if (source?.type === "approval" && condition === "error") return "Rejected";
  if (condition !== undefined) return OUTCOMES[condition];
  const value = edgeCase(edge);
  if (value !== undefined) return value === "" ? "Empty" : value;
  if (traitsOf(source?.type).branching === "case") return "Otherwise";
  return typeof edge["label"] === "string" && edge["label"] !== "" ? edge["label"] : undefined;
}

export interface OpenBranch {
  condition?: "true" | "false";
  label?: string;
}

/** The places after a step where another can be added: every outcome without a line, or the end of the graph. */
export function openBranches(step: Step, outgoing: readonly Edge[]): OpenBranch[] {
  if (traitsOf(step.type).branching !== "outcome") return outgoing.length === 0 ? [{}] : [];
  const taken = new Set(outgoing.map(edgeCondition));
  if (taken.has(undefined)) return [];
  return (["false", "true"] as const)
    .filter((condition) => !taken.has(condition))
    .map((condition) => ({ condition, label: OUTCOMES[condition] }));
}
