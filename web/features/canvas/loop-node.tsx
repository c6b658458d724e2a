import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { Plus } from "lucide-react";
import { memo } from "react";
import { statusLabel } from "../../ui/status.tsx";
import { middleOf, useCanvasActions } from "./canvas-actions.ts";
import { LoopPager } from "./loop-pager.tsx";
import { stepIcon } from "./step-icons.ts";
import { nodeClass, NodeFlag, NodeStatus, NodeTitle, OpenBranches, type StepNodeData } from "./step-node.tsx";

export interface LoopNodeData extends StepNodeData {
  isEmpty: boolean;
}
export type LoopFlowNode = Node<LoopNodeData, "loop">;

/** A loop: a container with its steps inside, which are separate nodes. */
export const LoopNode = memo(function LoopNode({ id, data, selected }: NodeProps<LoopFlowNode>) {
  const actions = useCanvasActions();
  const Icon = stepIcon(data.type);
  return (
    <div className={nodeClass("loop", data, selected)}>
      <Handle type="target" position={Position.Top} />
      <header className="loop-head">
        <Icon size={14} aria-hidden />
        <NodeTitle id={id} title={data.title} />
        {data.status !== undefined && data.status !== "skipped" && <LoopPager id={id} title={data.title} />}
        <NodeStatus data={data} />
      </header>
      <NodeFlag data={data} />
      {data.status !== undefined && <span className="visually-hidden">{statusLabel(data.status)}</span>}
      {data.isEmpty && actions !== undefined && (
        <button
          type="button"
          className="btn tiny loop-add nodrag nopan"
          onClick={(event) => {
            event.stopPropagation();
            actions.add({ kind: "inside", loopId: id }, middleOf(event.currentTarget));
          }}
        >
          <Plus size={13} aria-hidden /> Add step to {data.title}
        </button>
      )}
      <Handle type="source" position={Position.Bottom} />
      <OpenBranches id={id} data={data} />
    </div>
  );
});
