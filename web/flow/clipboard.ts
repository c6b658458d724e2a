import type { Edge, Step } from "../../contract/graph.ts";
import { explicitEdges } from "./add-step.ts";
import { type Draft, edgeId, freeStepId, positionOf } from "./draft.ts";
import { innerSteps } from "./inner-steps.ts";
import { freePosition, isPlacedByHand } from "./layout.ts";
import { renameReferences } from "./rename-references.ts";
import { editScope, graphIn, locate, nodeIdIn, outermost, type Scope } from "./scopes.ts";

/** Tells copied steps from other text on the clipboard. */
const KIND = "baton.steps/1";
/** Pasted steps are shifted by this many pixels, so that they do not cover the originals. */
const PASTE_OFFSET = 32;

/** Serializes steps as text, so that the system clipboard carries them between workflows and windows. */
export function copySteps(draft: Draft, nodeIds: ReadonlySet<string>): string {
  const located = outermost(nodeIds).flatMap((id) => locate(draft, id) ?? []);
  // Steps of two loops have no common graph: those of the first one are copied.
  const graph = graphIn(draft, located[0]?.scope) ?? draft;
  const stepIds = new Set(
    located.filter(({ scope }) => scope === located[0]?.scope).map(({ step }) => step.stepId),
  );
  return JSON.stringify({
    kind: KIND,
    steps: graph.steps.filter((step) => stepIds.has(step.stepId)),
    edges: graph.edges.filter((edge) => stepIds.has(edge.source) && stepIds.has(edge.target)),
  });
}

/** The graph of generated or imported steps, as if they were copied. */
export function asCopiedSteps(graph: { steps: readonly Step[]; edges: readonly Edge[] }): string {
  return JSON.stringify({ kind: KIND, steps: graph.steps, edges: graph.edges });
}

interface Pasted {
  draft: Draft;
  stepIds: Set<string>;
}

/** Pasted steps get unused ids, inside loops too, and refer to each other by those. Undefined if the text has no steps. */
export function pasteSteps(draft: Draft, text: string, scope?: Scope): Pasted | undefined {
  const copied = read(text);
  if (copied === undefined) return undefined;
  // Ids of the whole draft: a step inside a loop may not repeat one outside.
  const taken = [...draft.steps];
  const newIds = new Map<string, string>();
  for (const stepId of copied.steps.flatMap(allIds)) {
    if (newIds.has(stepId)) continue;
    const free = freeStepId(taken, stepId);
    newIds.set(stepId, free);
    taken.push({ stepId: free, type: "" });
  }
  let fresh = copied.steps;
  // Last step first: a new id can equal the old id of a later step, whose references must be renamed before.
  for (const [from, to] of [...newIds].toReversed())
    if (from !== to) fresh = fresh.map((step) => renameReferences(step, from, to) as Step);
  const pasted = fresh.map((step): Step => {
    const at = positionOf(step);
    const shifted =
      at === undefined ? step : { ...step, position: { x: at.x + PASTE_OFFSET, y: at.y + PASTE_OFFSET } };
    return withNewIds(shifted, newIds);
  });
  const added = editScope(draft, scope, (before) => {
    const graph = before.steps.length > 1 ? explicitEdges(before) : before;
    const edges = [...graph.edges];
    for (const edge of copied.edges) {
      const [source, target] = [newIds.get(edge.source), newIds.get(edge.target)];
      if (source !== undefined && target !== undefined)
        edges.push({ ...edge, id: edgeId(edges, source, target), source, target });
    }
    return { ...withPlaced(graph, pasted), edges };
  });
  return { draft: added, stepIds: new Set(pasted.map((step) => nodeIdIn(scope, step.stepId))) };
}

/** In a graph placed by hand every step needs a position; one without would make the layout move all of them. */
function withPlaced(graph: Draft, pasted: readonly Step[]): Draft {
  const steps = [...graph.steps];
  for (const step of pasted) {
    // A new object for each step: layouts are cached by identity.
    const now = { ...graph, steps: [...steps] };
    const needsPlace = positionOf(step) === undefined && isPlacedByHand(now);
    steps.push(needsPlace ? { ...step, position: freePosition(now, undefined) } : step);
  }
  return { ...graph, steps };
}

function allIds(step: Step): string[] {
  return [step.stepId, ...innerSteps(step).flatMap(allIds)];
}

function withNewIds(step: Step, newIds: ReadonlyMap<string, string>): Step {
  const renamed = { ...step, stepId: newIds.get(step.stepId) ?? step.stepId };
  const inner = innerSteps(step);
  if (inner.length === 0) return renamed;
  const edges = Array.isArray(step["edges"]) ? (step["edges"] as Edge[]) : undefined;
  return {
    ...renamed,
    steps: inner.map((one) => withNewIds(one, newIds)),
    ...(edges === undefined
      ? {}
      : {
          edges: edges.map((edge) => ({
            ...edge,
            source: newIds.get(edge.source) ?? edge.source,
            target: newIds.get(edge.target) ?? edge.target,
          })),
        }),
  };
}

/** Entries that are not steps or edges are dropped: the clipboard is untrusted input. */
function read(text: string): { steps: Step[]; edges: Edge[] } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { kind, steps, edges } = (value ?? {}) as Record<string, unknown>;
  if (kind !== KIND || !Array.isArray(steps) || !Array.isArray(edges)) return undefined;
  const isStep = (step: unknown): step is Step =>
    typeof (step as Step | null)?.stepId === "string" && typeof (step as Step).type === "string";
  const isEdge = (edge: unknown): edge is Edge =>
    typeof (edge as Edge | null)?.source === "string" && typeof (edge as Edge).target === "string";
  return { steps: steps.filter(isStep), edges: edges.filter(isEdge) };
}
