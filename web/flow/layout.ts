import dagre from "@dagrejs/dagre";
import type { Graph } from "../../contract/graph.ts";
import { type Point, positionOf } from "./draft.ts";

export const NODE_WIDTH = 236;
export const NODE_HEIGHT = 52;
const LAYER_GAP = 56;
const NODE_GAP = 48;
/** Above this size the faster ranker is used: 0.3 s of CPU time for 500 steps, not 0.5 s; edges get longer. */
const FAST_RANKER_ABOVE = 200;

/** Places all steps from top to bottom. A graph without edges runs in list order, so it is laid out as a chain. */
export function autoLayout(graph: Graph): Map<string, Point> {
  const plan = new dagre.graphlib.Graph();
  const ranker = graph.steps.length > FAST_RANKER_ABOVE ? "tight-tree" : "network-simplex";
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

/** Graphs are immutable, so positions are cached by identity: laying out 500 steps takes 0.2 s. */
const cache = new WeakMap<Graph, ReadonlyMap<string, Point>>();

/** The stored position of each step. If one step has none, the layout places all of them: mixing both would overlap. */
export function positionsOf(graph: Graph): ReadonlyMap<string, Point> {
  const positions = cache.get(graph) ?? computePositions(graph);
  cache.set(graph, positions);
  return positions;
}

function computePositions(graph: Graph): Map<string, Point> {
  const own = new Map<string, Point>();
  for (const step of graph.steps) {
    const position = positionOf(step);
    if (position === undefined) return autoLayout(graph);
    own.set(step.stepId, position);
  }
  return own;
}

/** A position without a step, below the given step or below all steps. */
export function freePosition(graph: Graph, after: string | undefined): Point {
  const positions = positionsOf(graph);
  const anchor = after === undefined ? undefined : positions.get(after);
  const lowest = [...positions.values()].reduce<Point | undefined>(
    (low, at) => (low === undefined || at.y > low.y ? at : low),
    undefined,
  );
  const from = anchor ?? lowest;
  if (from === undefined) return { x: 0, y: 0 };
  const position = { x: from.x, y: from.y + NODE_HEIGHT + LAYER_GAP };
  const isTaken = (): boolean =>
    [...positions.values()].some(
      ({ x, y }) => Math.abs(x - position.x) < NODE_WIDTH + 20 && Math.abs(y - position.y) < NODE_HEIGHT + 20,
    );
  while (isTaken()) position.x += NODE_WIDTH + NODE_GAP;
  return position;
}
