import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { Check, Clock, LoaderCircle, Pin, Plus, TriangleAlert, X } from "lucide-react";
import { memo } from "react";
import type { ChangeKind } from "../../flow/draft-changes.ts";
import type { OpenBranch } from "../../flow/edge-label.ts";
import { statusLabel, toneOf } from "../../ui/status.tsx";
import { middleOf, useCanvasActions } from "./canvas-actions.ts";
import { AgentWords, AppWords, StepTile, WorkflowWords } from "./step-tile.tsx";
import { TitleEditor } from "./title-editor.tsx";

export interface StepNodeData extends Record<string, unknown> {
  title: string;
  summary: string;
  type: string;
  /** The app of an `app` step. */
  app?: string | undefined;
  /** The agent that an `agent` step names. */
  agentId?: string | undefined;
  /** The workflow that a `workflow` step runs. */
  workflowId?: string | undefined;
  action?: unknown;
  status?: string | undefined;
  /** The duration, the attempt number, or "pinned". */
  note?: string | undefined;
  problem?: string | undefined;
  /** The problem is only that fields are still empty. */
  needsSetup?: boolean;
  disabled: boolean;
  /** What an import asks a person to look at. */
  toCheck?: unknown;
  /** How the step differs from the version that it is compared with. */
  flag?: ChangeKind | undefined;
  /** Where another step can be added after this one. */
  open: readonly OpenBranch[];
  /** Another branch has a line already, which is in the middle. */
  isBranched: boolean;
}
export type StepFlowNode = Node<StepNodeData, "step">;

const toneIcons = { ok: Check, bad: X, run: LoaderCircle, wait: Clock };

/** One step on the canvas: icon, title, summary and status. Memoized: a run updates one node at a time. */
export const StepNode = memo(function StepNode({ id, data, selected }: NodeProps<StepFlowNode>) {
  return (
    <div className={nodeClass("node", data, selected)}>
      <Handle type="target" position={Position.Top} />
      <StepTile type={data.type} app={data.app} />
      <NodeTitle id={id} title={data.title} />
      <NodeStatus data={data} />
      <NodeFlag data={data} />
      <small>
        {data.app !== undefined ? (
          <AppWords app={data.app} action={data.action} fallback={data.summary} />
        ) : data.agentId !== undefined ? (
          <AgentWords agentId={data.agentId} fallback={data.summary} />
        ) : data.workflowId !== undefined ? (
          <WorkflowWords workflowId={data.workflowId} fallback={data.summary} />
        ) : (
          data.summary
        )}
      </small>
      {data.status !== undefined && <span className="visually-hidden">{statusLabel(data.status)}</span>}
      <Handle type="source" position={Position.Bottom} />
      <OpenBranches id={id} data={data} />
    </div>
  );
});

/** The title; while it is renamed, a field. */
export function NodeTitle({ id, title }: { id: string; title: string }) {
  const actions = useCanvasActions();
  if (actions?.editing?.kind === "title" && actions.editing.nodeId === id)
    return <TitleEditor title={title} onDone={(text) => actions.rename(id, text)} />;
  return <b title={title}>{title}</b>;
}

export function nodeClass(
  base: string,
  { status, problem, needsSetup = false, flag, disabled }: StepNodeData,
  selected: boolean,
): string {
  const flagClass = flag === undefined ? "" : ` flag-${flag}`;
  if (disabled) return `${base} off${selected ? " sel" : ""}${flagClass}`;
  return [
    base,
    toneOf(status),
    status === "skipped" ? "skipped" : "",
    selected ? "sel" : "",
    problem === undefined || needsSetup ? "" : "wrong",
    flag === undefined ? "" : `flag-${flag}`,
  ].join(" ");
}

/** At the right of the title: the problem, otherwise the state in the last run with its duration. */
export function NodeStatus({ data }: { data: StepNodeData }) {
  if (data.status === undefined && typeof data.toCheck === "string")
    return (
      <span className="st wait" title={data.toCheck}>
        Check
      </span>
    );
  if (data.disabled) return <span className="st">Disabled</span>;
  if (data.needsSetup === true)
    return (
      <span className="st wait" title={data.problem}>
        Needs setup
      </span>
    );
  if (data.problem !== undefined)
    // The message is the accessible name; the tooltip alone would not reach a screen reader.
    return (
      <span className="st bad" title={data.problem}>
        <TriangleAlert size={14} role="img" aria-label={data.problem} />
      </span>
    );
  if (data.note === "pinned")
    return (
      <span className="st">
        <Pin size={12} aria-hidden /> pinned
      </span>
    );
  const tone = toneOf(data.status);
  const ToneIcon = toneIcons[tone as keyof typeof toneIcons] as typeof Check | undefined;
  return (
    <span className={`st ${tone}`}>
      {ToneIcon !== undefined && <ToneIcon size={12} aria-hidden />}
      {data.note}
    </span>
  );
}

const FLAG_LABELS = { added: "Added", changed: "Changed", removed: "Removed" } as const;

export function NodeFlag({ data: { flag } }: { data: StepNodeData }) {
  return flag === undefined ? null : <span className={`flag ${flag}`}>{FLAG_LABELS[flag]}</span>;
}

/** A button below the step for each branch that leads nowhere yet. */
export function OpenBranches({ id, data }: { id: string; data: StepNodeData }) {
  const actions = useCanvasActions();
  if (actions === undefined || data.open.length === 0) return null;
  const { adding } = actions;
  return (
    <div className={`open-branches nodrag nopan${data.isBranched ? " beside" : ""}`}>
      {data.open.map(({ condition, label }) => {
        const isHot = adding?.kind === "after" && adding.nodeId === id && adding.condition === condition;
        return (
          <span key={condition ?? ""} className="open-branch">
            {label !== undefined && <span className="lb">{label}</span>}
            <button
              type="button"
              className={isHot ? "ins hot" : "ins"}
              aria-label={`Add step after ${data.title}${label === undefined ? "" : `, ${label}`}`}
              onClick={(event) => {
                event.stopPropagation();
                actions.add({ kind: "after", nodeId: id, condition }, middleOf(event.currentTarget));
              }}
            >
              <Plus size={11} aria-hidden />
            </button>
          </span>
        );
      })}
    </div>
  );
}
