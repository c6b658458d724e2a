import type { Draft } from "./draft.ts";
import { positionsOf } from "./layout.ts";

/** Steps, one edge, or one trigger: never two kinds. */
export interface Selection {
  stepIds: ReadonlySet<string>;
  edge?: string;
  /** The id of a trigger node, `trigger:<kind>:<record id>`. */
  trigger?: string;
}

export const emptySelection: Selection = { stepIds: new Set() };

export function selectStep(stepId: string): Selection {
  return { stepIds: new Set([stepId]) };
}

export function selectTrigger(trigger: string): Selection {
  return { stepIds: new Set(), trigger };
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** Steps whose tops differ by less than this many pixels count as one row. */
const ROW_TOLERANCE = 80;

/** The step that an arrow key selects: up and down follow the edges, left and right stay in the row. */
export function stepInDirection(
  draft: Draft,
  from: string | undefined,
  direction: Direction,
): string | undefined {
  if (from === undefined) return draft.steps[0]?.stepId;
  if (direction === "ArrowDown")
    return draft.edges.find((edge) => edge.source === from)?.target ?? stepInList(draft, from, 1);
  if (direction === "ArrowUp")
    return draft.edges.find((edge) => edge.target === from)?.source ?? stepInList(draft, from, -1);
  const positions = positionsOf(draft);
  const here = positions.get(from);
  if (here === undefined) return undefined;
  const sign = direction === "ArrowRight" ? 1 : -1;
  return [...positions]
    .filter(
      ([id, at]) => id !== from && (at.x - here.x) * sign > 0 && Math.abs(at.y - here.y) < ROW_TOLERANCE,
    )
    .toSorted(([, a], [, b]) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.[0];
}

/** A graph without edges runs its steps in list order. */
function stepInList(draft: Draft, from: string, by: number): string | undefined {
  if (draft.edges.length > 0) return undefined;
  return draft.steps[draft.steps.findIndex((step) => step.stepId === from) + by]?.stepId;
}
