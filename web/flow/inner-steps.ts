import type { Edge, Step } from "../../contract/graph.ts";

/** The steps that a foreach runs for each item. */
export function innerSteps(step: Step): Step[] {
  return listOf<Step>(step["steps"]).filter(({ stepId }) => typeof stepId === "string");
}

export function innerEdges(step: Step): Edge[] {
  return listOf<Edge>(step["edges"]);
}

/** The ids at any depth inside a step. Outer ids must differ from them: inner steps can refer to outer ones. */
export function nestedStepIds(step: Step): Set<string> {
  const ids = new Set<string>();
  for (const inner of innerSteps(step)) {
    ids.add(inner.stepId);
    for (const id of nestedStepIds(inner)) ids.add(id);
  }
  return ids;
}

/** Drops entries that are not objects; the validator reports them. */
function listOf<Entry>(value: unknown): Entry[] {
  return Array.isArray(value)
    ? (value.filter((entry) => typeof entry === "object" && entry !== null) as Entry[])
    : [];
}
