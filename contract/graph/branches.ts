import type { Edge } from "../graph.ts";
import { traitsOf } from "../steps/catalogue.ts";

export type EdgeCondition = "true" | "false" | "error" | "timeout";

const conditions: ReadonlySet<unknown> = new Set(["true", "false", "error", "timeout"]);

/** The outcome of its source that an edge requires; undefined when it requires none. */
export function edgeCondition(edge: Readonly<Record<string, unknown>>): EdgeCondition | undefined {
  const condition = edge["condition"];
  const word = typeof condition === "boolean" ? String(condition) : condition;
  return conditions.has(word) ? (word as EdgeCondition) : undefined;
}

/**
 * The text by which a switch compares. A form turns `1` into the text "1", so cases are compared as text; null is the
 * empty case. Undefined for a value that no case can equal.
 */
export function caseKey(value: unknown): string | undefined {
  if (value === null) return "";
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** The case of an edge; undefined for an edge without one, which is the default of a switch. */
export function edgeCase(edge: Readonly<Record<string, unknown>>): string | undefined {
  const value = edge["caseValue"];
  return value === undefined || value === null ? undefined : caseKey(value);
}

/** Whether some outcome of a source of that type takes the edge. Every step can fail, so "error" is always possible. */
export function canBeTaken(edge: Edge, sourceType: unknown): boolean {
  if (edge["condition"] === undefined && edge["caseValue"] === undefined) return true;
  const { branching } = traitsOf(sourceType);
  const condition = edgeCondition(edge);
  if ((condition === "true" || condition === "false") && branching !== "outcome") return false;
  if (condition === "timeout" && branching !== "timeout") return false;
  return edgeCase(edge) === undefined || condition === "error" || branching === "case";
}
