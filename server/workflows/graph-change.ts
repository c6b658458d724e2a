import type { GraphChange } from "../../contract/workflows.ts";
import type { LooseGraph } from "./version.sql.ts";

/** With `steps` a change is the whole graph. Without them it keeps every part that it does not name: nothing is lost. */
export function changedGraph(current: LooseGraph, change: GraphChange | undefined): LooseGraph {
  if (change === undefined) return current;
  const { steps = current.steps, edges = change.steps === undefined ? current.edges : [] } = change;
  return change.steps === undefined ? { ...current, ...change, steps, edges } : { ...change, steps, edges };
}
