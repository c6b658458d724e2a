import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import { nestedStepIds } from "./inner-steps.ts";
import { renameReferences } from "./rename-references.ts";

/** The versioned part of a workflow: what the builder edits. */
export interface Draft extends Graph {
  name: string;
  description: string;
}

export function draftOf({
  name,
  description,
  metadata,
}: {
  name: string;
  description: string;
  metadata: Graph;
}): Draft {
  return { ...metadata, name, description };
}

export interface Point {
  x: number;
  y: number;
}

export function positionOf(step: Step): Point | undefined {
  const position = step["position"] as Partial<Point> | null | undefined;
  return typeof position?.x === "number" && typeof position.y === "number"
    ? { x: position.x, y: position.y }
    : undefined;
}

/** `http`, `http-2`, `http-3` …: readable, because placeholders of other steps contain the id. */
export function freeStepId(steps: readonly Step[], wanted: string): string {
  const taken = new Set(steps.flatMap((step) => [step.stepId, ...nestedStepIds(step)]));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

export function edgeId(edges: readonly Edge[], source: string, target: string): string {
  const taken = new Set(edges.map((edge) => edge.id));
  const wanted = `${source}-${target}`;
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

export function addStep(draft: Draft, step: Step, after?: string): Draft {
  const edges = after === undefined ? draft.edges : connect(draft, after, step.stepId).edges;
  return { ...draft, steps: [...draft.steps, step], edges };
}

export function updateStep(draft: Draft, stepId: string, change: Record<string, unknown>): Draft {
  return {
    ...draft,
    steps: draft.steps.map((step) =>
      step.stepId === stepId ? withoutUndefined({ ...step, ...change }) : step,
    ),
  };
}

/** An emptied field is removed, not stored as `null`. */
function withoutUndefined(step: Record<string, unknown>): Step {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as Step;
}

/** Renames a step and every edge and placeholder that refers to it. */
export function renameStep(draft: Draft, from: string, to: string): Draft {
  return {
    ...draft,
    steps: draft.steps.map((step) => {
      const renamed = renameReferences(step, from, to) as Step;
      return step.stepId === from ? { ...renamed, stepId: to } : renamed;
    }),
    edges: draft.edges.map((edge) => ({
      ...edge,
      source: edge.source === from ? to : edge.source,
      target: edge.target === from ? to : edge.target,
    })),
  };
}

export function removeSteps(draft: Draft, stepIds: ReadonlySet<string>): Draft {
  return {
    ...draft,
    steps: draft.steps.filter((step) => !stepIds.has(step.stepId)),
    edges: draft.edges.filter((edge) => !stepIds.has(edge.source) && !stepIds.has(edge.target)),
  };
}

/** Positions are rounded to whole pixels, so that exported files stay readable. */
export function moveSteps(draft: Draft, positions: ReadonlyMap<string, Point>): Draft {
  return {
    ...draft,
    steps: draft.steps.map((step) => {
      const to = positions.get(step.stepId);
      return to === undefined ? step : { ...step, position: { x: Math.round(to.x), y: Math.round(to.y) } };
    }),
  };
}

/** Adds an edge. The first edge out of a condition is its "true", the second its "false". */
export function connect(draft: Draft, source: string, target: string): Draft {
  if (source === target || draft.edges.some((edge) => edge.source === source && edge.target === target))
    return draft;
  const from = draft.steps.find((step) => step.stepId === source);
  const outgoing = draft.edges.filter((edge) => edge.source === source);
  const condition =
    traitsOf(from?.type).branching === "outcome"
      ? ["true", "false"].find((outcome) => !outgoing.some((edge) => edge["condition"] === outcome))
      : undefined;
  const edge: Edge = {
    id: edgeId(draft.edges, source, target),
    source,
    target,
    ...(condition === undefined ? {} : { condition }),
  };
  return { ...draft, edges: [...draft.edges, edge] };
}

export function updateEdge(draft: Draft, key: string, change: Record<string, unknown>): Draft {
  return {
    ...draft,
    edges: draft.edges.map((edge, index) =>
      edgeKey(edge, index) === key ? (withoutUndefined({ ...edge, ...change }) as unknown as Edge) : edge,
    ),
  };
}

export function removeEdges(draft: Draft, keys: ReadonlySet<string>): Draft {
  return { ...draft, edges: draft.edges.filter((edge, index) => !keys.has(edgeKey(edge, index))) };
}

/** Identifies an edge on the page: its id, or its index if an imported graph gave it none. */
export function edgeKey(edge: Edge, index: number): string {
  return edge.id ?? `#${index}`;
}
