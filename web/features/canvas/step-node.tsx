import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { TriangleAlert } from "lucide-react";
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

/** One step on the canvas: icon, title, summary and status. Memoized: a run updates one node at a time. */
export const StepNode = memo(function StepNode({ data, selected }: NodeProps<StepFlowNode>) {
  const Icon = stepIcon(data.type);
  return (
    <div
      className={[
        `node type-${data.type}`,
        toneOf(data.status),
        data.status === "skipped" ? "skipped" : "",
        selected ? "sel" : "",
        data.problem === undefined ? "" : "wrong",
      ].join(" ")}
    >
      <Handle type="target" position={Position.Top} />
      <span className="ic">
        <Icon size={15} aria-hidden />
      </span>
      <b>{data.title}</b>
      <span className="node-note">
        {/* The message is the accessible name; the tooltip alone would not reach a screen reader. */}
        {data.problem === undefined ? (
          data.note
        ) : (
          <span title={data.problem}>
            <TriangleAlert size={14} role="img" aria-label={data.problem} />
          </span>
        )}
      </span>
      <small>{data.summary}</small>
      {data.status !== undefined && <span className="visually-hidden">{statusLabel(data.status)}</span>}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
});
