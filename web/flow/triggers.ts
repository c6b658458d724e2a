import type { Graph } from "../../contract/graph.ts";
import type { Point } from "./draft.ts";
import { LAYER_GAP, NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";

export type TriggerKind =
  | "manual"
  | "endpoint"
  | "webhook"
  | "schedule"
  | "form"
  | "rss"
  | "email"
  | "chat"
  | "app";

/** What starts a workflow, drawn above its first steps. It is a separate record and never part of the graph. */
export interface Trigger {
  /** `trigger:<kind>:<record id>`; see `triggerId`. */
  id: string;
  kind: TriggerKind;
  /** The id of the record; the id of the workflow for `manual`, `endpoint` and `form`. */
  recordId: string;
  title: string;
  detail: string;
  status: "active" | "paused";
}

export function triggerId(kind: TriggerKind, recordId: string): string {
  return `trigger:${kind}:${recordId}`;
}

/** Step ids may hold colons, so a step could have such an id; the validator allows it, the canvas draws both. */
export function isTriggerId(nodeId: string): boolean {
  return nodeId.startsWith("trigger:");
}

const GAP_BETWEEN = 24;

/** The steps that start first: those without an incoming edge; in a graph without edges the first of the list. */
export function firstSteps({ steps, edges }: Graph): string[] {
  if (edges.length === 0) return steps.slice(0, 1).map((step) => step.stepId);
  const targets = new Set(edges.filter((edge) => edge.source !== edge.target).map((edge) => edge.target));
  return steps.map((step) => step.stepId).filter((id) => !targets.has(id));
}

/** One row above all steps, centered over the first ones. Computed and not stored, because triggers are not versioned. */
export function triggerPositions(
  triggers: readonly Trigger[],
  graph: Graph,
  positions: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const first = firstSteps(graph).flatMap((id) => positions.get(id) ?? []);
  const tops = [...positions.values()].map(({ y }) => y);
  const center =
    first.length === 0
      ? NODE_WIDTH / 2
      : (Math.min(...first.map(({ x }) => x)) + Math.max(...first.map(({ x }) => x)) + NODE_WIDTH) / 2;
  const y = tops.reduce((low, top) => Math.min(low, top), tops.length === 0 ? 0 : Infinity);
  const width = triggers.length * (NODE_WIDTH + GAP_BETWEEN) - GAP_BETWEEN;
  return new Map(
    triggers.map(({ id }, index) => [
      id,
      {
        x: Math.round(center - width / 2 + index * (NODE_WIDTH + GAP_BETWEEN)),
        y: y - NODE_HEIGHT - LAYER_GAP,
      },
    ]),
  );
}
