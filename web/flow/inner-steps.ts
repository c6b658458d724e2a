import type { Edge, Step } from "../../contract/graph.ts";

/** What a foreach runs for each item. */
export function innerSteps(step: Step): Step[] {
  return listOf<Step>(step["steps"]).filter(({ stepId }) => typeof stepId === "string");
}

export function innerEdges(step: Step): Edge[] {
  return listOf<Edge>(step["edges"]);
}

/** A name must be free inside every loop, too: what stands around a loop is in sight there. */
export function nestedStepIds(step: Step): Set<string> {
  const ids = new Set<string>();
  for (const inner of innerSteps(step)) {
    ids.add(inner.stepId);
    for (const id of nestedStepIds(inner)) ids.add(id);
  }
  return ids;
}

/** Entries that are objects; whatever else stands in the list is the validator's to complain about. */
function listOf<Entry>(value: unknown): Entry[] {
  return Array.isArray(value)
    ? (value.filter((entry) => typeof entry === "object" && entry !== null) as Entry[])
    : [];
}
