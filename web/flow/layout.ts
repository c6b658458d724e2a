import dagre from "@dagrejs/dagre";
import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { type Point, positionOf } from "./draft.ts";
import { groupBy } from "./group-by.ts";
import { innerGraphOf, isContainer } from "./inner-steps.ts";

export const NODE_WIDTH = 236;
export const NODE_HEIGHT = 52;
export const LAYER_GAP = 64;
export const NODE_GAP = 48;
/** Above this size the faster ranker is used: 0.3 s of CPU time for 500 steps, not 0.5 s; edges get longer. */
const FAST_RANKER_ABOVE = 200;
/** The space around the steps inside a loop: the header above, the button that adds a step below. The buttons of two nested loops stay 24 px apart at the smallest zoom at which a graph opens. */
export const LOOP_PADDING = { top: 40, side: 24, bottom: 48 };
const EMPTY_LOOP_HEIGHT = 92;

export interface Size {
  width: number;
  height: number;
}

/** A loop is as large as its steps; every other step has the same size. */
export function sizeOf(step: Step): Size {
  if (!isContainer(step)) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  const { steps } = innerGraphOf(step);
  const width = NODE_WIDTH + 2 * LOOP_PADDING.side;
  if (steps.length === 0) return { width, height: EMPTY_LOOP_HEIGHT };
  const places = innerPlaces(step);
  const right = (inner: Step): number => (places.get(inner.stepId)?.x ?? 0) + sizeOf(inner).width;
  const bottom = (inner: Step): number => (places.get(inner.stepId)?.y ?? 0) + sizeOf(inner).height;
  return {
    width: Math.max(width, Math.max(...steps.map(right)) + LOOP_PADDING.side),
    height: Math.max(...steps.map(bottom)) + LOOP_PADDING.bottom,
  };
}

/** The steps inside a loop, relative to its corner. Whatever positions they have stored, they fill the loop. */
export function innerPlaces(loop: Step): ReadonlyMap<string, Point> {
  const positions = positionsOf(innerGraphOf(loop));
  const least = (axis: "x" | "y"): number => Math.min(...[...positions.values()].map((at) => at[axis]));
  const [left, top] = [least("x"), least("y")];
  return new Map(
    [...positions].map(([id, { x, y }]) => [
      id,
      { x: x - left + LOOP_PADDING.side, y: y - top + LOOP_PADDING.top },
    ]),
  );
}

/** The edges as the engine follows them: a graph without edges runs in list order. */
export function effectiveEdges({ steps, edges }: Graph): Edge[] {
  if (edges.length > 0) return edges;
  return steps.slice(1).map((step, index) => {
    const source = steps[index]!.stepId;
    return { id: `${source}-${step.stepId}`, source, target: step.stepId };
  });
}

/** Places all steps from top to bottom, in rows with equal tops, so that lines run between the rows. */
export function autoLayout(graph: Graph): Map<string, Point> {
  const plan = new dagre.graphlib.Graph();
  const ranker = graph.steps.length > FAST_RANKER_ABOVE ? "tight-tree" : "network-simplex";
  plan.setGraph({ rankdir: "TB", ranksep: LAYER_GAP, nodesep: NODE_GAP, ranker });
  plan.setDefaultEdgeLabel(() => ({}));
  const sizes = new Map(graph.steps.map((step) => [step.stepId, sizeOf(step)]));
  for (const [stepId, size] of sizes) plan.setNode(stepId, { ...size });
  for (const { source, target } of effectiveEdges(graph))
    if (sizes.has(source) && sizes.has(target) && source !== target) plan.setEdge(source, target);
  dagre.layout(plan);
  // dagre centers the steps of a row on one line.
  const rows = groupBy(sizes.keys(), (id) => Math.round((plan.node(id) as unknown as Point).y));
  const positions = new Map<string, Point>();
  let top = 0;
  for (const [, ids] of [...rows].toSorted(([a], [b]) => a - b)) {
    for (const id of ids) {
      const { x } = plan.node(id) as unknown as Point;
      positions.set(id, { x: Math.round(x - sizes.get(id)!.width / 2), y: top });
    }
    top += Math.max(...ids.map((id) => sizes.get(id)!.height)) + LAYER_GAP;
  }
  return positions;
}

/** Graphs are immutable, so positions are cached by identity: laying out 500 steps takes 0.2 s. */
const cache = new WeakMap<Graph, ReadonlyMap<string, Point>>();

/**
 * The stored position of each step. If one step has none, the layout places all of them: mixing both would overlap. A
 * graph whose steps nobody has moved stores none, so it stays tidy while it grows.
 */
export function positionsOf(graph: Graph): ReadonlyMap<string, Point> {
  const positions = cache.get(graph) ?? computePositions(graph);
  cache.set(graph, positions);
  return positions;
}

export function isPlacedByHand(graph: Graph): boolean {
  return graph.steps.length > 0 && graph.steps.every((step) => positionOf(step) !== undefined);
}

function computePositions(graph: Graph): Map<string, Point> {
  if (!isPlacedByHand(graph)) return autoLayout(graph);
  return new Map(graph.steps.map((step) => [step.stepId, positionOf(step)!]));
}

/** A position without a step, below the given step or below all steps. */
export function freePosition(graph: Graph, after: string | undefined): Point {
  const positions = positionsOf(graph);
  const sizes = new Map(graph.steps.map((step) => [step.stepId, sizeOf(step)]));
  const bottomOf = ([id, { y }]: readonly [string, Point]): number => y + (sizes.get(id)?.height ?? 0);
  const anchor = after === undefined ? undefined : positions.get(after);
  const from =
    anchor === undefined
      ? [...positions].toSorted((a, b) => bottomOf(b) - bottomOf(a))[0]
      : ([after ?? "", anchor] as const);
  if (from === undefined) return { x: 0, y: 0 };
  const position = { x: from[1].x, y: bottomOf(from) + LAYER_GAP };
  const isTaken = (): boolean =>
    [...positions].some(
      ([id, { x, y }]) =>
        x < position.x + NODE_WIDTH + 20 &&
        position.x < x + (sizes.get(id)?.width ?? 0) + 20 &&
        y < position.y + NODE_HEIGHT + 20 &&
        position.y < bottomOf([id, { x, y }]) + 20,
    );
  while (isTaken()) position.x += NODE_WIDTH + NODE_GAP;
  return position;
}
