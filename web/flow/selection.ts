import type { Draft } from "./draft.ts";
import { effectiveEdges, positionsOf } from "./layout.ts";
import { innerGraphOf, isContainer } from "./inner-steps.ts";
import { locate, nodeIdIn } from "./scopes.ts";
import { firstSteps, isTriggerId, type Trigger } from "./triggers.ts";

/** Steps, one line, one trigger, or one note: never two kinds. */
export interface Selection {
  /** Node ids: `fetch`, or `each/fetch` inside a loop. */
  stepIds: ReadonlySet<string>;
  /** The id of a line. */
  edge?: string;
  /** The id of a trigger node, `trigger:<kind>:<record id>`. */
  trigger?: string;
  note?: string;
}

export const emptySelection: Selection = { stepIds: new Set() };

export function selectStep(nodeId: string): Selection {
  return { stepIds: new Set([nodeId]) };
}

export function selectTrigger(trigger: string): Selection {
  return { stepIds: new Set(), trigger };
}

export function selectNode(nodeId: string): Selection {
  return isTriggerId(nodeId) ? selectTrigger(nodeId) : selectStep(nodeId);
}

/** The one selected step; undefined for none or several. */
export function onlyStep({ stepIds }: Selection): string | undefined {
  return stepIds.size === 1 ? [...stepIds][0] : undefined;
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** Steps whose tops differ by less than this many pixels count as one row. */
const ROW_TOLERANCE = 80;

/**
 * The node that an arrow key selects. Up and down follow the lines, from the triggers into loops and out of them again;
 * left and right stay in the row.
 */
export function nodeInDirection(
  draft: Draft,
  from: string | undefined,
  direction: Direction,
  triggers: readonly Trigger[] = [],
): string | undefined {
  if (from === undefined) return draft.steps[0]?.stepId ?? triggers[0]?.id;
  if (isTriggerId(from)) return fromTrigger(draft, from, direction, triggers);
  const at = locate(draft, from);
  if (at === undefined) return undefined;
  const { scope, graph, step } = at;
  if (direction === "ArrowDown") {
    const inner = isContainer(step) ? firstSteps(innerGraphOf(step))[0] : undefined;
    return inner === undefined ? after(draft, from) : nodeIdIn(from, inner);
  }
  if (direction === "ArrowUp") {
    const source = effectiveEdges(graph).find((edge) => edge.target === step.stepId)?.source;
    return source === undefined ? (scope ?? triggers[0]?.id) : nodeIdIn(scope, source);
  }
  const next = inRow(positionsOf(graph), step.stepId, direction);
  return next === undefined ? undefined : nodeIdIn(scope, next);
}

/** The next step along a line; at the end of a loop, the one after the loop. */
function after(draft: Draft, nodeId: string): string | undefined {
  const at = locate(draft, nodeId);
  if (at === undefined) return undefined;
  const next = effectiveEdges(at.graph).find((edge) => edge.source === at.step.stepId)?.target;
  if (next !== undefined) return nodeIdIn(at.scope, next);
  return at.scope === undefined ? undefined : after(draft, at.scope);
}

function fromTrigger(
  draft: Draft,
  from: string,
  direction: Direction,
  triggers: readonly Trigger[],
): string | undefined {
  if (direction === "ArrowDown") return firstSteps(draft)[0];
  if (direction === "ArrowUp") return undefined;
  const index = triggers.findIndex(({ id }) => id === from);
  return triggers[index + (direction === "ArrowRight" ? 1 : -1)]?.id;
}

function inRow(
  positions: ReturnType<typeof positionsOf>,
  from: string,
  direction: "ArrowLeft" | "ArrowRight",
): string | undefined {
  const here = positions.get(from);
  if (here === undefined) return undefined;
  const sign = direction === "ArrowRight" ? 1 : -1;
  return [...positions]
    .filter(
      ([id, at]) => id !== from && (at.x - here.x) * sign > 0 && Math.abs(at.y - here.y) < ROW_TOLERANCE,
    )
    .toSorted(([, a], [, b]) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.[0];
}
