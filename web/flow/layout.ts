import dagre from "@dagrejs/dagre";
import type { Graph } from "../../contract/graph.ts";
import { type Point, positionOf } from "./draft.ts";

export const NODE_WIDTH = 240;
export const NODE_HEIGHT = 60;
const LAYER_GAP = 56;
const NODE_GAP = 48;
/** From here on the shortest lines of all cost more than they are worth: 0.5 s of processor time for 500 steps, not 0.3. */
const MANY = 200;

/** Top to bottom. Steps without any edge run in the order in which they are listed, so they stand in that order. */
export function autoLayout(graph: Graph): Map<string, Point> {
  const plan = new dagre.graphlib.Graph();
  const ranker = graph.steps.length > MANY ? "tight-tree" : "network-simplex";
  plan.setGraph({ rankdir: "TB", ranksep: LAYER_GAP, nodesep: NODE_GAP, ranker });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const { stepId } of graph.steps) plan.setNode(stepId, { width: NODE_WIDTH, height: NODE_HEIGHT });
  const known = new Set(graph.steps.map((step) => step.stepId));
  const edges = graph.edges.filter(
    ({ source, target }) => known.has(source) && known.has(target) && source !== target,
  );
  for (const { source, target } of edges) plan.setEdge(source, target);
  if (graph.edges.length === 0)
    for (const [index, step] of graph.steps.entries()) {
      const next = graph.steps[index + 1];
      if (next !== undefined && next.stepId !== step.stepId) plan.setEdge(step.stepId, next.stepId);
    }
  dagre.layout(plan);
  const positions = new Map<string, Point>();
  for (const { stepId } of graph.steps) {
    const { x, y } = plan.node(stepId) as unknown as Point;
    positions.set(stepId, { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - NODE_HEIGHT / 2) });
  }
  return positions;
}

/** A graph is never changed, only replaced, and laying out five hundred steps takes a fifth of a second. */
const known = new WeakMap<Graph, ReadonlyMap<string, Point>>();

/** Where each step stands: where it was put, or, when any has no place yet, where the layout puts them all. */
export function positionsOf(graph: Graph): ReadonlyMap<string, Point> {
  const positions = known.get(graph) ?? placesIn(graph);
  known.set(graph, positions);
  return positions;
}

function placesIn(graph: Graph): Map<string, Point> {
  const own = new Map<string, Point>();
  for (const step of graph.steps) {
    const position = positionOf(step);
    if (position === undefined) return autoLayout(graph);
    own.set(step.stepId, position);
  }
  return own;
}

/** A free place below the given step, or below everything. */
export function freePosition(graph: Graph, after: string | undefined): Point {
  const positions = positionsOf(graph);
  const anchor = after === undefined ? undefined : positions.get(after);
  const lowest = [...positions.values()].reduce<Point | undefined>(
    (low, at) => (low === undefined || at.y > low.y ? at : low),
    undefined,
  );
  const from = anchor ?? lowest;
  if (from === undefined) return { x: 0, y: 0 };
  const place = { x: from.x, y: from.y + NODE_HEIGHT + LAYER_GAP };
  const isTaken = (): boolean =>
    [...positions.values()].some(
      ({ x, y }) => Math.abs(x - place.x) < NODE_WIDTH + 20 && Math.abs(y - place.y) < NODE_HEIGHT + 20,
    );
  while (isTaken()) place.x += NODE_WIDTH + NODE_GAP;
  return place;
}
