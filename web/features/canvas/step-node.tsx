import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { Check, Clock, LoaderCircle, Pin, TriangleAlert, X } from "lucide-react";
import { memo } from "react";
import { statusLabel, toneOf } from "../../ui/status.tsx";
import { stepIcon } from "./step-icons.ts";

export interface StepNodeData extends Record<string, unknown> {
  title: string;
  summary: string;
  type: string;
  status?: string | undefined;
  /** The duration, the attempt number, or "pinned". */
  note?: string | undefined;
  problem?: string | undefined;
}
export type StepFlowNode = Node<StepNodeData, "step">;

const toneIcons = { ok: Check, bad: X, run: LoaderCircle, wait: Clock };

/** One step on the canvas: icon, title, summary and status. Memoized: a run updates one node at a time. */
export const StepNode = memo(function StepNode({ data, selected }: NodeProps<StepFlowNode>) {
  const Icon = stepIcon(data.type);
  return (
    <div
      className={[
        "node",
        toneOf(data.status),
        data.status === "skipped" ? "skipped" : "",
        selected ? "sel" : "",
        data.problem === undefined ? "" : "wrong",
      ].join(" ")}
    >
      <Handle type="target" position={Position.Top} />
      <span className="tile">
        <Icon size={16} aria-hidden />
      </span>
      <b>{data.title}</b>
      <NodeStatus data={data} />
      <small>{data.summary}</small>
      {data.status !== undefined && <span className="visually-hidden">{statusLabel(data.status)}</span>}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
});

/** At the right of the title: the problem, otherwise the state in the last run with its duration. */
export function NodeStatus({ data }: { data: StepNodeData }) {
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
