import type { Edge, Step } from "../../contract/graph.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import { connect, type Draft, edgeId, edgeKey, moveSteps, type Point, positionOf } from "./draft.ts";
import { effectiveEdges, freePosition, isPlacedByHand, LAYER_GAP, positionsOf, sizeOf } from "./layout.ts";
import { editScope, graphIn, locate, nodeIdIn, type Scope } from "./scopes.ts";

/** Where a new step goes. */
export type Place =
  /** On the canvas, connected to nothing unless `after` is given. */
  | { kind: "free"; at?: Point; scope?: Scope }
  /** After a step, on the given branch. */
  | { kind: "after"; nodeId: string; condition?: string | undefined; at?: Point }
  /** On a line: between the two steps it joins. */
  | { kind: "line"; lineId: string; scope: Scope; source: string; target: string }
  /** Before a first step: on the line of a trigger. */
  | { kind: "before"; nodeId: string }
  /** As the first step of a loop. */
  | { kind: "inside"; loopId: string };

export function scopeOfPlace(draft: Draft, place: Place): Scope {
  switch (place.kind) {
    case "free":
    case "line":
      return place.scope;
    case "inside":
      return place.loopId;
    case "after":
    case "before":
      return locate(draft, place.nodeId)?.scope;
  }
}

/** Adds a step and connects it as its place says. */
export function addStepAt(draft: Draft, step: Step, place: Place): { draft: Draft; nodeId: string } {
  const scope = scopeOfPlace(draft, place);
  return {
    draft: editScope(draft, scope, (graph) => insert(graph, step, place)),
    nodeId: nodeIdIn(scope, step.stepId),
  };
}

function insert(graph: Draft, step: Step, place: Place): Draft {
  switch (place.kind) {
    case "inside":
    case "free": {
      const explicit = graph.steps.length > 1 ? explicitEdges(graph) : graph;
      const at = place.kind === "free" ? place.at : undefined;
      return append(explicit, step, (now) => at ?? freePosition(now, undefined));
    }
    case "after": {
      const source = lastPart(graph, place.nodeId);
      const added = append(explicitEdges(graph), step, (now) => place.at ?? freePosition(now, source));
      const connected = connect(added, source, step.stepId);
      return place.condition === undefined
        ? connected
        : withCondition(connected, source, step.stepId, place.condition);
    }
    case "before": {
      const target = lastPart(graph, place.nodeId);
      const roomy = makeRoom(explicitEdges(graph), step, positionsOf(graph).get(target));
      return connect(
        append(roomy, step, () => positionsOf(graph).get(target)!),
        step.stepId,
        target,
      );
    }
    case "line":
      return splitLine(explicitEdges(graph), step, place);
  }
}

/** The edge keeps its condition and now ends at the new step; a second one leads on to the old target. */
function splitLine(graph: Draft, step: Step, place: Extract<Place, { kind: "line" }>): Draft {
  const [source, target] = [lastPart(graph, place.source), lastPart(graph, place.target)];
  const at = positionsOf(graph).get(target);
  const roomy = makeRoom(graph, step, at);
  const key = graph.edges.findIndex(
    (edge, index) =>
      edge.source === source && edge.target === target && place.lineId.endsWith(edgeKey(edge, index)),
  );
  if (key === -1) return graph;
  const edges = roomy.edges.map((edge, index) =>
    index === key ? { ...edge, id: edgeId(roomy.edges, source, step.stepId), target: step.stepId } : edge,
  );
  const added = append({ ...roomy, edges }, step, () => at ?? { x: 0, y: 0 });
  return connect(added, step.stepId, target);
}

/** Steps placed by hand move down to make room; otherwise the layout does. */
function makeRoom(graph: Draft, step: Step, at: Point | undefined): Draft {
  if (at === undefined || !isPlacedByHand(graph)) return graph;
  const shift = sizeOf(step).height + LAYER_GAP;
  const below = [...positionsOf(graph)].filter(([, { y }]) => y >= at.y);
  return moveSteps(graph, new Map(below.map(([id, { x, y }]) => [id, { x, y: y + shift }])));
}

/** Only a graph whose steps were moved by hand stores positions; the layout places every other one. */
function append(graph: Draft, step: Step, positionFor: (graph: Draft) => Point): Draft {
  const placed = isPlacedByHand(graph) ? { ...step, position: positionFor(graph) } : step;
  return { ...graph, steps: [...graph.steps, placed] };
}

/** A graph without edges runs in list order. The first edge would change that, so the order becomes edges before. */
export function explicitEdges(graph: Draft): Draft {
  return graph.edges.length > 0 ? graph : { ...graph, edges: effectiveEdges(graph) };
}

function withCondition(graph: Draft, source: string, target: string, condition: string): Draft {
  return {
    ...graph,
    edges: graph.edges.map((edge): Edge =>
      edge.source === source && edge.target === target ? { ...edge, condition } : edge,
    ),
  };
}

/** The id of a step within its graph, from its node id. */
function lastPart(graph: Draft, nodeId: string): string {
  if (graph.steps.some(({ stepId }) => stepId === nodeId)) return nodeId;
  const matches = graph.steps.filter(({ stepId }) => nodeId.endsWith(`/${stepId}`));
  return matches.toSorted((a, b) => b.stepId.length - a.stepId.length)[0]?.stepId ?? nodeId;
}

/** Where a step added without a place goes: after the selected step, on its only line, or after the last step. */
export function placeAfter(draft: Draft, selected: string | undefined): Place {
  const id = selected ?? draft.steps.at(-1)?.stepId;
  if (id === undefined) return { kind: "free" };
  const located = locate(draft, id);
  if (located === undefined) return { kind: "free" };
  const { graph, scope, step } = located;
  const outgoing = effectiveEdges(graph)
    .map((edge, index) => ({ edge, key: edgeKey(edge, index) }))
    .filter(({ edge }) => edge.source === step.stepId);
  const only = outgoing[0];
  if (outgoing.length !== 1 || only === undefined || traitsOf(step.type).branching !== undefined)
    return { kind: "after", nodeId: id };
  return {
    kind: "line",
    lineId: nodeIdIn(scope, only.key),
    scope,
    source: id,
    target: nodeIdIn(scope, only.edge.target),
  };
}

/** Removes stored positions at every depth, so that the layout places all steps again. */
export function tidy(draft: Draft): Draft {
  return { ...draft, steps: draft.steps.map(withoutPosition) };
}

function withoutPosition(step: Step): Step {
  const { position: _position, ...rest } = step;
  const inner = Array.isArray(rest["steps"]) ? (rest["steps"] as Step[]) : undefined;
  return (inner === undefined ? rest : { ...rest, steps: inner.map(withoutPosition) }) as Step;
}

/** Stores the places of all steps of a scope: the first move by hand makes the layout stop. */
export function pinPlaces(draft: Draft, scope: Scope): Draft {
  const graph = graphIn(draft, scope);
  if (graph === undefined || graph.steps.every((step) => positionOf(step) !== undefined)) return draft;
  return editScope(draft, scope, (now) => moveSteps(now, positionsOf(graph)));
}
