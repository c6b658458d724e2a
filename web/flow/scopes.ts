import type { Step } from "../../contract/graph.ts";
import { type Draft, edgeKey, moveSteps, type Point, removeEdges, removeSteps } from "./draft.ts";
import { groupBy } from "./group-by.ts";
import { editInner, innerGraph } from "./inner-graph.ts";

/**
 * A node id names one step of a draft at any depth: `fetch`, or `each/fetch` inside the loop `each`. Inner ids repeat
 * between two loops, so the id of the step alone is not enough. A scope is the node id of a loop; undefined is the
 * workflow itself.
 */
export type Scope = string | undefined;

export function nodeIdIn(scope: Scope, stepId: string): string {
  return scope === undefined ? stepId : `${scope}/${stepId}`;
}

export interface Located {
  scope: Scope;
  /** The graph that contains the step, as a draft: the functions that edit drafts edit it too. */
  graph: Draft;
  step: Step;
}

/** Step ids may contain slashes, so the id is matched against the steps from the outside in. */
export function locate(draft: Draft, nodeId: string, scope?: Scope): Located | undefined {
  const step = draft.steps.find(({ stepId }) => stepId === nodeId);
  if (step !== undefined) return { scope, graph: draft, step };
  for (const loop of draft.steps) {
    if (!nodeId.startsWith(`${loop.stepId}/`)) continue;
    const found = locate(
      innerGraph(loop),
      nodeId.slice(loop.stepId.length + 1),
      nodeIdIn(scope, loop.stepId),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The loops around a node, innermost first, each with the step of it that leads to the node. */
export function loopsAround(draft: Draft, nodeId: string): { loop: Step; graph: Draft; stepId: string }[] {
  const at = locate(draft, nodeId);
  const loop = at?.scope === undefined ? undefined : locate(draft, at.scope);
  if (at?.scope === undefined || loop === undefined) return [];
  return [{ loop: loop.step, graph: at.graph, stepId: at.step.stepId }, ...loopsAround(draft, at.scope)];
}

/** The graph of a scope; undefined when the loop does not exist. */
export function graphIn(draft: Draft, scope: Scope): Draft | undefined {
  if (scope === undefined) return draft;
  const loop = locate(draft, scope)?.step;
  return loop === undefined ? undefined : innerGraph(loop);
}

/** Changes the graph of a scope, at any depth. */
export function editScope(draft: Draft, scope: Scope, change: (graph: Draft) => Draft): Draft {
  if (scope === undefined) return change(draft);
  const loop = locate(draft, scope);
  if (loop === undefined) return draft;
  return editScope(draft, loop.scope, (graph) => editInner(graph, loop.step.stepId, change));
}

/** All node ids, every loop before the steps inside it. */
export function nodeIds(draft: Draft, scope?: Scope): string[] {
  return draft.steps.flatMap((step) => {
    const id = nodeIdIn(scope, step.stepId);
    return [id, ...nodeIds(innerGraph(step), id)];
  });
}

/** The first node whose step has this id. Problems and results of a run name steps by their id alone. */
export function nodeIdOf(draft: Draft, stepId: string): string | undefined {
  return nodeIds(draft).find((id) => locate(draft, id)?.step.stepId === stepId);
}

/** Nodes inside another of the set are left out: they are moved, copied and deleted with their loop. */
export function outermost(ids: Iterable<string>): string[] {
  const all = [...ids];
  return all.filter((id) => !all.some((other) => id !== other && id.startsWith(`${other}/`)));
}

function perScope(
  draft: Draft,
  ids: Iterable<string>,
  change: (graph: Draft, stepIds: Set<string>) => Draft,
): Draft {
  const located = outermost(ids).flatMap((id) => locate(draft, id) ?? []);
  let result = draft;
  for (const [scope, group] of groupBy(located, (entry) => entry.scope))
    result = editScope(result, scope, (graph) =>
      change(graph, new Set(group.map(({ step }) => step.stepId))),
    );
  return result;
}

export function removeNodes(draft: Draft, ids: Iterable<string>): Draft {
  return perScope(draft, ids, removeSteps);
}

/** Positions are relative to the loop around the step. */
export function moveNodes(draft: Draft, positions: ReadonlyMap<string, Point>): Draft {
  let result = draft;
  for (const [scope, moved] of groupBy(positions, ([id]) => locate(draft, id)?.scope))
    result = editScope(result, scope, (graph) =>
      moveSteps(graph, new Map(moved.map(([id, at]) => [locate(draft, id)?.step.stepId ?? id, at]))),
    );
  return result;
}

/** Changes fields of several steps at once, in whatever loops they are. */
export function updateNodes(draft: Draft, ids: Iterable<string>, change: (step: Step) => Step): Draft {
  return [...ids].reduce((now, id) => {
    const at = locate(now, id);
    if (at === undefined) return now;
    return editScope(now, at.scope, (graph) => ({
      ...graph,
      steps: graph.steps.map((step) => (step.stepId === at.step.stepId ? change(step) : step)),
    }));
  }, draft);
}

/** The id of a line on the canvas: the key of its edge, within its scope. */
export function locateEdge(draft: Draft, lineId: string): { scope: Scope; key: string } {
  const scope = nodeIds(draft)
    .filter((id) => lineId.startsWith(`${id}/`))
    .toSorted((a, b) => b.length - a.length)
    .find((id) => graphIn(draft, id)?.edges.length !== 0);
  return { scope, key: scope === undefined ? lineId : lineId.slice(scope.length + 1) };
}

/** A line with the node ids of its ends; undefined when it does not exist. */
export function lineEnds(
  draft: Draft,
  lineId: string,
): { lineId: string; scope: Scope; source: string; target: string } | undefined {
  const { scope, key } = locateEdge(draft, lineId);
  const edge = graphIn(draft, scope)?.edges.find((entry, index) => edgeKey(entry, index) === key);
  if (edge === undefined) return undefined;
  return { lineId, scope, source: nodeIdIn(scope, edge.source), target: nodeIdIn(scope, edge.target) };
}

export function removeLines(draft: Draft, lineIds: Iterable<string>): Draft {
  return [...lineIds].reduce((now, id) => {
    const { scope, key } = locateEdge(now, id);
    return editScope(now, scope, (graph) => removeEdges(graph, new Set([key])));
  }, draft);
}
