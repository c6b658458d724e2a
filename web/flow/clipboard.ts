import type { Edge, Step } from "../../contract/graph.ts";
import { type Draft, edgeId, freeStepId, positionOf } from "./draft.ts";
import { renameReferences } from "./rename-references.ts";

/** Tells copied steps from other text on the clipboard. */
const KIND = "baton.steps/1";
/** Pasted steps are shifted by this many pixels, so that they do not cover the originals. */
const PASTE_OFFSET = 32;

/** Serializes steps as text, so that the system clipboard carries them between workflows and windows. */
export function copySteps(draft: Draft, stepIds: ReadonlySet<string>): string {
  return JSON.stringify({
    kind: KIND,
    steps: draft.steps.filter((step) => stepIds.has(step.stepId)),
    edges: draft.edges.filter((edge) => stepIds.has(edge.source) && stepIds.has(edge.target)),
  });
}

interface Pasted {
  draft: Draft;
  stepIds: Set<string>;
}

/** Pasted steps get unused ids and refer to each other by those. Undefined if the text has no steps. */
export function pasteSteps(draft: Draft, text: string): Pasted | undefined {
  const copied = read(text);
  if (copied === undefined) return undefined;
  const taken = [...draft.steps];
  let fresh = copied.steps;
  const newIds = new Map<string, string>();
  for (const { stepId } of copied.steps) {
    const free = freeStepId(taken, stepId);
    newIds.set(stepId, free);
    taken.push({ stepId: free, type: "" });
  }
  // Last step first: a new id can equal the old id of a later step, whose references must be renamed before.
  for (const [from, to] of [...newIds].toReversed())
    if (from !== to) fresh = fresh.map((step) => renameReferences(step, from, to) as Step);
  const pasted = fresh.map((step, index): Step => {
    const at = positionOf(step);
    const stepId = newIds.get(copied.steps[index]?.stepId ?? "") ?? step.stepId;
    return {
      ...step,
      stepId,
      ...(at === undefined ? {} : { position: { x: at.x + PASTE_OFFSET, y: at.y + PASTE_OFFSET } }),
    };
  });
  const edges: Edge[] = [...draft.edges];
  for (const edge of copied.edges) {
    const source = newIds.get(edge.source);
    const target = newIds.get(edge.target);
    if (source !== undefined && target !== undefined)
      edges.push({ ...edge, id: edgeId(edges, source, target), source, target });
  }
  return {
    draft: { ...draft, steps: [...draft.steps, ...pasted], edges },
    stepIds: new Set(pasted.map((step) => step.stepId)),
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
