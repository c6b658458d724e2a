import type { Problem } from "../graph.ts";

const CODES: ReadonlySet<Problem["code"]> = new Set<Problem["code"]>([
  "missing_step_id",
  "duplicate_step_id",
  "duplicate_edge_id",
  "unknown_edge_source",
  "unknown_edge_target",
  "self_edge",
  "cycle",
]);

/** An error of the graph as a whole: with it no part can run, because steps cannot be distinguished or ordered. */
export function isGraphWide({ code, stepId }: Problem): boolean {
  return CODES.has(code) || stepId === undefined;
}
