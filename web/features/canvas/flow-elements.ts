import { type Edge as FlowEdge, MarkerType } from "@xyflow/react";
import type { Graph, Problem } from "../../../contract/graph.ts";
import { edgeKey, edgeLabel, type Point } from "../../flow/draft.ts";
import type { Pins } from "../../flow/known-results.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../flow/layout.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { stepSummary, stepTitle } from "../../flow/step-summary.ts";
import { duration } from "../../ui/time.ts";
import type { StepFlowNode } from "./step-node.tsx";

export type Progress = ReadonlyMap<string, StepProgress>;
export const noProgress: Progress = new Map();

/** Builds the nodes of the canvas. An unchanged node keeps its identity, so React Flow does not render it again. */
export function flowNodes(
  graph: Graph,
  positions: ReadonlyMap<string, Point>,
  progress: Progress,
  problems: readonly Problem[],
  previous: readonly StepFlowNode[],
): StepFlowNode[] {
  const before = new Map(previous.map((node) => [node.id, node]));
  // A node has room for one problem; the problem list shows all of them.
  const problemOf = new Map<string, string>();
  for (const { stepId, message } of problems)
    if (stepId !== undefined && !problemOf.has(stepId)) problemOf.set(stepId, message);
  const seen = new Set<string>();
  const nodes: StepFlowNode[] = [];
  for (const step of graph.steps) {
    // An imported graph may repeat a step id. React Flow needs unique ids; the validator reports the second one.
    if (seen.has(step.stepId)) continue;
    seen.add(step.stepId);
    const at = progress.get(step.stepId);
    const position = positions.get(step.stepId) ?? { x: 0, y: 0 };
    const data = {
      title: stepTitle(step),
      summary: stepSummary(step),
      type: step.type,
      status: at?.status,
      note: noteOf(at),
      problem: problemOf.get(step.stepId),
    };
    const old = before.get(step.stepId);
    const isSame =
      old !== undefined &&
      old.position.x === position.x &&
      old.position.y === position.y &&
      (Object.keys(data) as (keyof typeof data)[]).every((key) => old.data[key] === data[key]);
    nodes.push(
      isSame
        ? old
        : {
            // A size before the first measurement: React Flow decides by it which nodes are visible.
            ...(old ?? { initialWidth: NODE_WIDTH, initialHeight: NODE_HEIGHT }),
            id: step.stepId,
            type: "step",
            position,
            data,
            ariaLabel: `${data.title}, ${step.type}${at === undefined ? "" : `, ${at.status}`}`,
          },
    );
  }
  return nodes;
}

/** Sets `selected`; nodes whose selection did not change keep their identity. */
export function withSelection(
  nodes: readonly StepFlowNode[],
  isSelected: (stepId: string) => boolean,
): StepFlowNode[] {
  return nodes.map((node) => {
    const selected = isSelected(node.id);
    return (node.selected ?? false) === selected ? node : { ...node, selected };
  });
}

/** Marks pinned steps, because partial runs use the pinned output instead of running them. */
export function withPins(nodes: StepFlowNode[], pins: Pins): StepFlowNode[] {
  if (pins.size === 0) return nodes;
  return nodes.map((node) =>
    pins.has(node.id) ? { ...node, data: { ...node.data, note: "pinned" } } : node,
  );
}

/** The duration of a finished step; the attempt number while it retries. */
function noteOf(at: StepProgress | undefined): string | undefined {
  if (at === undefined) return undefined;
  if (at.startedAt !== null && at.endedAt !== null && at.status !== "skipped")
    return duration(Date.parse(at.endedAt) - Date.parse(at.startedAt));
  return at.attempt > 1 ? `attempt ${at.attempt}` : undefined;
}

export function flowEdges(graph: Graph, progress: Progress, selected: string | undefined): FlowEdge[] {
  return graph.edges.map((edge, index) => {
    const id = edgeKey(edge, index);
    const label = edgeLabel(edge);
    return {
      id,
      source: edge.source,
      target: edge.target,
      selected: id === selected,
      className: edgeClass(progress, edge.source, edge.target),
      markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--edge)" },
      ariaLabel: `From ${edge.source} to ${edge.target}${label === undefined ? "" : `, ${label}`}`,
      ...(label === undefined ? {} : { label }),
    };
  });
}

/** Edges that the run has followed; a skipped target was not reached through this edge. */
function edgeClass(progress: Progress, source: string, target: string): string {
  const to = progress.get(target)?.status;
  if (progress.get(source) === undefined || to === undefined || to === "skipped") return "";
  return to === "running" ? "active" : "done";
}
