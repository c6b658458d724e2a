import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";

/** The steps that a foreach runs for each item. */
export function innerSteps(step: Step): Step[] {
  return listOf<Step>(step["steps"]).filter(({ stepId }) => typeof stepId === "string");
}

export function innerEdges(step: Step): Edge[] {
  return listOf<Edge>(step["edges"]).filter(
    ({ source, target }) => typeof source === "string" && typeof target === "string",
  );
}

/** The steps and edges of a template, which may be invalid: entries that are none are left out. */
export function readGraph(graph: { steps: readonly unknown[]; edges: readonly unknown[] }): Graph {
  const outer = { stepId: "", type: "", ...graph };
  return {
    steps: innerSteps(outer).filter(({ type }) => typeof type === "string"),
    edges: innerEdges(outer),
  };
}

/** Steps are immutable, so the graph inside one keeps its identity, and with it its cached layout. */
const innerGraphs = new WeakMap<Step, Graph>();

export function innerGraphOf(step: Step): Graph {
  const graph = innerGraphs.get(step) ?? { steps: innerSteps(step), edges: innerEdges(step) };
  innerGraphs.set(step, graph);
  return graph;
}

/** Drawn as a container with its steps inside: a loop, unless it runs another workflow for each item. */
export function isContainer(step: Step): boolean {
  if (traitsOf(step.type).loop !== true) return false;
  return typeof step["workflowId"] !== "string" || innerSteps(step).length > 0;
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
