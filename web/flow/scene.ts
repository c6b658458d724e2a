import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { edgeKey, type Point } from "./draft.ts";
import { edgeLabel, type OpenBranch, openBranches } from "./edge-label.ts";
import { groupBy } from "./group-by.ts";
import { innerGraphOf, isContainer } from "./inner-steps.ts";
import {
  effectiveEdges,
  innerPlaces,
  NODE_HEIGHT,
  NODE_WIDTH,
  positionsOf,
  type Size,
  sizeOf,
} from "./layout.ts";
import { type Box, type Line, routeLines } from "./route.ts";
import { nodeIdIn, type Scope } from "./scopes.ts";
import { firstSteps, type Trigger, triggerPositions } from "./triggers.ts";

/** A step as it is drawn. */
export interface SceneStep extends Size {
  id: string;
  step: Step;
  scope: Scope;
  /** Relative to the loop around it. */
  place: Point;
  isLoop: boolean;
  /** Where another step can be added after it. */
  open: readonly OpenBranch[];
}

export interface SceneLine {
  id: string;
  scope: Scope;
  source: string;
  target: string;
  /** The edge; undefined for a line that follows from the graph: from a trigger, or of a graph without edges. */
  edge: Edge | undefined;
  label: string | undefined;
  points: readonly Point[];
}

/** Everything that is drawn, with places and routes. Pure, so that tests and benchmarks need no browser. */
export interface Scene {
  steps: SceneStep[];
  triggers: ReadonlyMap<string, Point>;
  lines: SceneLine[];
  /** Absolute positions of all nodes. */
  positions: ReadonlyMap<string, Point>;
}

/** Distance between the lines of two branches where they leave their step. */
const BRANCH_OFFSET = 68;

export function sceneOf(graph: Graph, triggers: readonly Trigger[] = []): Scene {
  const places = positionsOf(graph);
  const triggerAt = triggerPositions(triggers, graph, places);
  const scene = { steps: [] as SceneStep[], lines: [] as SceneLine[], positions: new Map(triggerAt) };
  const first = firstSteps(graph);
  addScope(scene, {
    graph,
    scope: undefined,
    places,
    origin: { x: 0, y: 0 },
    above: {
      boxes: triggers.map(({ id }) => ({
        id,
        ...triggerAt.get(id)!,
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
      })),
      lines: triggers.flatMap(({ id: source }) =>
        first.map((target) => ({ id: `${source}>${target}`, source, target })),
      ),
    },
  });
  return { ...scene, triggers: triggerAt };
}

interface Growing {
  steps: SceneStep[];
  lines: SceneLine[];
  positions: Map<string, Point>;
}

interface ScopeLayout {
  graph: Graph;
  scope: Scope;
  places: ReadonlyMap<string, Point>;
  origin: Point;
  /** The triggers above the steps, and the lines from them. */
  above: { boxes: Box[]; lines: Line[] };
}

function addScope(scene: Growing, { graph, scope, places, origin, above }: ScopeLayout): void {
  const steps = new Map<string, Step>();
  // An imported graph may repeat a step id; the canvas needs unique ones. The validator reports the second.
  for (const step of graph.steps) if (!steps.has(step.stepId)) steps.set(step.stepId, step);
  const edges = effectiveEdges(graph);
  const outgoing = groupBy(edges, (edge) => edge.source);
  const boxes = [...above.boxes];
  for (const step of steps.values()) {
    const id = nodeIdIn(scope, step.stepId);
    const place = places.get(step.stepId) ?? { x: 0, y: 0 };
    const at = { x: origin.x + place.x, y: origin.y + place.y };
    const size = sizeOf(step);
    const isLoop = isContainer(step);
    scene.positions.set(id, at);
    boxes.push({ id: step.stepId, ...place, ...size });
    const open = openBranches(step, outgoing.get(step.stepId) ?? []);
    scene.steps.push({ id, step, scope, place, isLoop, open, ...size });
    if (isLoop)
      addScope(scene, {
        graph: innerGraphOf(step),
        scope: id,
        places: innerPlaces(step),
        origin: at,
        above: { boxes: [], lines: [] },
      });
  }
  const lines = linesOf(edges, steps);
  spreadBranches(lines, boxes);
  const routes = routeLines(boxes, [...above.lines, ...lines]);
  const isImplied = graph.edges.length === 0;
  for (const { id, source, target } of above.lines)
    scene.lines.push({
      id,
      scope,
      source,
      target: nodeIdIn(scope, target),
      edge: undefined,
      label: undefined,
      points: routes.get(id) ?? [],
    });
  for (const { id, edge, label } of lines) {
    const points = routes.get(id);
    if (points === undefined) continue;
    scene.lines.push({
      id: nodeIdIn(scope, id),
      scope,
      source: nodeIdIn(scope, edge.source),
      target: nodeIdIn(scope, edge.target),
      edge: isImplied ? undefined : edge,
      label,
      points: points.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y })),
    });
  }
}

interface LabelledLine extends Line {
  edge: Edge;
  label: string | undefined;
}

function linesOf(edges: readonly Edge[], steps: ReadonlyMap<string, Step>): LabelledLine[] {
  return edges.map((edge, index) => ({
    id: edgeKey(edge, index),
    source: edge.source,
    target: edge.target,
    edge,
    label: edgeLabel(edge, steps.get(edge.source)),
  }));
}

/** The branches of a step leave it side by side, in the order of where they turn to, so that they do not cross. */
function spreadBranches(lines: readonly LabelledLine[], boxes: readonly Box[]): void {
  const groups = [...groupBy(lines, (line) => line.source).values()].filter(
    (branches) => branches.length > 1 && branches.some(({ label }) => label !== undefined),
  );
  if (groups.length === 0) return;
  // The way around other steps decides it, not the place of the target.
  const routes = routeLines(boxes, lines);
  const turnOf = ({ id }: Line): number => {
    const points = routes.get(id) ?? [];
    const start = points[0]?.x ?? 0;
    return points.find(({ x }) => x !== start)?.x ?? start;
  };
  for (const branches of groups) {
    const offset = Math.min(BRANCH_OFFSET, NODE_WIDTH / branches.length);
    for (const [index, line] of branches.toSorted((a, b) => turnOf(a) - turnOf(b)).entries())
      line.startOffset = Math.round((index - (branches.length - 1) / 2) * offset);
  }
}
