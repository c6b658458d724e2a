import { MarkerType, Position } from "@xyflow/react";
import type { Note, Problem } from "../../../contract/graph.ts";
import { isDisabled } from "../../../contract/graph/disabled.ts";
import type { Place } from "../../flow/add-step.ts";
import type { ChangeKind } from "../../flow/draft-changes.ts";
import { groupBy } from "../../flow/group-by.ts";
import { innerSteps } from "../../flow/inner-steps.ts";
import type { Pins } from "../../flow/known-results.ts";
import { itemCount, type LineState, lineState } from "../../flow/line-state.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import type { Scene, SceneLine, SceneStep } from "../../flow/scene.ts";
import { stepTitle } from "../../../contract/graph/step-titles.ts";
import { stepSummary } from "../../flow/step-summary.ts";
import { duration } from "../../ui/time.ts";
import { NOTE_WIDTH, noteNodeId } from "../../flow/notes.ts";
import type { OwnNode, StepLikeNode } from "./canvas-node.ts";
import type { NoteFlowNode } from "./note-node.tsx";
import type { LineFlowEdge } from "./line-edge.tsx";

/** By node id: steps inside a loop have the state of the item that is shown. */
export type Progress = ReadonlyMap<string, StepProgress>;
export const noProgress: Progress = new Map();

/** Builds the nodes of the canvas. An unchanged node keeps its identity, so React Flow does not render it again. */
export function flowNodes(
  { steps }: Pick<Scene, "steps">,
  progress: Progress,
  problems: readonly Problem[],
  previous: readonly OwnNode[],
): StepLikeNode[] {
  const before = new Map(previous.map((node) => [node.id, node]));
  // A node has room for one problem; the problem list shows all of them.
  const problemOf = new Map<string, Problem>();
  for (const problem of problems) {
    const { stepId, code } = problem;
    if (stepId === undefined) continue;
    // A missing field only needs setup; any other problem is wrong and comes first.
    const known = problemOf.get(stepId);
    if (known === undefined || (known.code === "missing_field" && code !== "missing_field"))
      problemOf.set(stepId, problem);
  }
  return steps.map((placed) => {
    const node = nodeOf(placed, progress.get(placed.id), problemOf.get(placed.step.stepId));
    const old = before.get(placed.id);
    if (old === undefined || old.type === "note") return node;
    return isSameNode(old, node) ? old : ({ ...old, ...node } as StepLikeNode);
  });
}

function nodeOf(placed: SceneStep, at: StepProgress | undefined, problem: Problem | undefined): StepLikeNode {
  const { id, step, scope, place, width, height, isLoop, open } = placed;
  const data = {
    title: stepTitle(step),
    summary: stepSummary(step),
    type: step.type,
    ...(step.type === "app" && typeof step["app"] === "string"
      ? { app: step["app"], action: step["action"] }
      : {}),
    ...(typeof step["agentId"] === "string" ? { agentId: step["agentId"] } : {}),
    ...(step.type === "workflow" && typeof step["workflowId"] === "string"
      ? { workflowId: step["workflowId"] }
      : {}),
    status: at?.status,
    note: noteOf(at),
    problem: problem?.message,
    needsSetup: problem?.code === "missing_field",
    disabled: isDisabled(step),
    toCheck: step["toCheck"],
    open,
    isBranched: open.length === 1 && open[0]?.condition !== undefined,
  };
  return {
    id,
    position: place,
    // Known in advance, so that React Flow draws lines and finds visible nodes without measuring.
    width,
    height,
    // Fitting the view counts measured nodes only, and in a large graph most are never rendered.
    measured: { width, height },
    handles: [
      { type: "target", position: Position.Top, x: width / 2, y: 0 },
      { type: "source", position: Position.Bottom, x: width / 2, y: height },
    ],
    ariaLabel: `${data.title}, ${step.type}${data.disabled ? ", disabled" : at === undefined ? "" : `, ${at.status}`}`,
    ...(scope === undefined ? {} : { parentId: scope }),
    ...(isLoop
      ? { type: "loop", data: { ...data, isEmpty: innerSteps(step).length === 0 } }
      : { type: "step", data }),
  };
}

function isSameNode(old: StepLikeNode, now: StepLikeNode): boolean {
  return (
    old.type === now.type &&
    old.position.x === now.position.x &&
    old.position.y === now.position.y &&
    old.width === now.width &&
    old.height === now.height &&
    old.parentId === now.parentId &&
    Object.entries(now.data).every(([key, value]) =>
      key === "open" ? sameBranches(old.data.open, now.data.open) : old.data[key] === value,
    )
  );
}

function sameBranches(a: SceneStep["open"], b: SceneStep["open"]): boolean {
  return a.length === b.length && a.every(({ condition }, index) => condition === b[index]?.condition);
}

/** Notes are below steps and lines, and are moved and selected like steps. */
export function noteNodes(notes: readonly Note[], previous: readonly OwnNode[]): NoteFlowNode[] {
  const before = new Map(previous.map((node) => [node.id, node]));
  return notes.map(({ id, text, position, width }) => {
    const old = before.get(noteNodeId(id));
    const data = { noteId: id, text, ...(width === undefined ? {} : { width }) };
    return {
      // Keeps the measured size: the height of a note depends on its text.
      ...(old?.type === "note" ? old : {}),
      id: noteNodeId(id),
      type: "note" as const,
      position,
      data,
      zIndex: -1,
      connectable: false,
      // React Flow hides a node without a size until it is measured, and a hidden field cannot take the focus.
      initialWidth: NOTE_WIDTH,
      initialHeight: 60,
      ariaLabel: `Note: ${text.split("\n")[0] ?? ""}`,
    };
  });
}

/** Sets `selected`; nodes whose selection did not change keep their identity. */
export function withSelection<Some extends OwnNode>(
  nodes: readonly Some[],
  isSelected: (nodeId: string) => boolean,
): Some[] {
  return nodes.map((node) => {
    const selected = isSelected(node.id);
    return (node.selected ?? false) === selected ? node : { ...node, selected };
  });
}

/** Flags the steps that differ from another version. */
export function withFlags(nodes: StepLikeNode[], flags: ReadonlyMap<string, ChangeKind>): StepLikeNode[] {
  if (flags.size === 0) return nodes;
  return nodes.map((node) => {
    const flag = flags.get(node.id);
    return flag === undefined ? node : ({ ...node, data: { ...node.data, flag } } as StepLikeNode);
  });
}

/** Marks pinned steps, because partial runs use the pinned output instead of running them. */
export function withPins(nodes: OwnNode[], pins: Pins): OwnNode[] {
  if (pins.size === 0) return nodes;
  return nodes.map((node) =>
    pins.has(node.id) ? ({ ...node, data: { ...node.data, note: "pinned" } } as OwnNode) : node,
  );
}

/** The duration of a finished step; the attempt number while it retries. */
function noteOf(at: StepProgress | undefined): string | undefined {
  if (at === undefined) return undefined;
  if (at.startedAt !== null && at.endedAt !== null && at.status !== "skipped")
    return duration(Date.parse(at.endedAt) - Date.parse(at.startedAt));
  return at.attempt > 1 ? `attempt ${at.attempt}` : undefined;
}

interface EdgeOptions {
  progress: Progress;
  /** The outputs of the last run, which decide the branch that was taken. */
  outputs?: ReadonlyMap<string, unknown> | undefined;
  selected?: string | undefined;
}

const COLORS = { taken: "var(--ok)", active: "var(--run)" } as const;

export function flowEdges(
  { lines, steps }: Pick<Scene, "lines" | "steps">,
  { progress, outputs, selected }: EdgeOptions,
): LineFlowEdge[] {
  const byId = new Map(steps.map((entry) => [entry.id, entry.step]));
  const titleOf = (id: string): string => {
    const step = byId.get(id);
    return step === undefined ? "the trigger" : stepTitle(step);
  };
  const siblings = groupBy(lines, (line) => line.source);
  const hasRun = progress.size > 0;
  return lines.map((line) => {
    const output = outputs?.get(line.source);
    const state = hasRun ? stateOf(line, byId, progress, output, siblings.get(line.source) ?? []) : undefined;
    const between = `between ${titleOf(line.source)} and ${titleOf(line.target)}`;
    const color = state === "taken" || state === "active" ? COLORS[state] : "var(--edge)";
    return {
      id: line.id,
      type: "line",
      source: line.source,
      target: line.target,
      selected: line.id === selected,
      selectable: line.edge !== undefined,
      focusable: line.edge !== undefined,
      // The default of a line without focus is an image, which must not contain a button.
      ariaRole: "group",
      deletable: false,
      className: state ?? "",
      // Green lines on top where several share their way.
      zIndex: (line.scope === undefined ? 0 : line.scope.split("/").length) + (state === "taken" ? 1 : 0),
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color },
      ariaLabel: `Line ${between}${line.label === undefined ? "" : `, ${line.label}`}`,
      data: {
        points: line.points,
        label: line.label,
        count: state === "taken" ? itemCount(output) : undefined,
        place: placeOf(line),
        between,
      },
    };
  });
}

function placeOf({ id, scope, source, target }: SceneLine): Place {
  if (source.startsWith("trigger:")) return { kind: "before", nodeId: target };
  return { kind: "line", lineId: id, scope, source, target };
}

function stateOf(
  line: SceneLine,
  steps: ReadonlyMap<string, SceneStep["step"]>,
  progress: Progress,
  output: unknown,
  siblings: readonly SceneLine[],
): LineState {
  const target = progress.get(line.target);
  if (!steps.has(line.source))
    return target === undefined || target.status === "skipped" ? undefined : "taken";
  return lineState(line.edge, steps.get(line.source), {
    source: progress.get(line.source),
    target,
    output,
    siblings: siblings.flatMap((other) => other.edge ?? []),
  });
}
