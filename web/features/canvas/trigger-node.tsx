import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import {
  Blocks,
  CalendarClock,
  ClipboardList,
  Hand,
  type LucideIcon,
  Mail,
  MessageCircle,
  Plug,
  Plus,
  Rss,
  Webhook,
} from "lucide-react";
import { memo } from "react";
import type { Trigger, TriggerKind } from "../../flow/triggers.ts";
import { middleOf, useCanvasActions } from "./canvas-actions.ts";

export type TriggerNodeData = Pick<Trigger, "kind" | "title" | "detail" | "status"> &
  Record<string, unknown> & {
    /** There is no step yet: a button below the trigger adds the first one. */
    startsNothing: boolean;
  };
export type TriggerFlowNode = Node<TriggerNodeData, "trigger">;

export const triggerIcons: Record<TriggerKind, LucideIcon> = {
  manual: Hand,
  endpoint: Plug,
  webhook: Webhook,
  schedule: CalendarClock,
  form: ClipboardList,
  rss: Rss,
  email: Mail,
  chat: MessageCircle,
  app: Blocks,
};

/** What starts the workflow: a pill above the first steps. */
export const TriggerNode = memo(function TriggerNode({ data, selected }: NodeProps<TriggerFlowNode>) {
  const Icon = triggerIcons[data.kind];
  const actions = useCanvasActions();
  const isPaused = data.status === "paused";
  return (
    <div className={`node trig${selected ? " sel" : ""}${isPaused ? " off" : ""}`}>
      <span className="tile trig">
        <Icon size={16} aria-hidden />
      </span>
      <b>{data.title}</b>
      <span className="st">{isPaused && "Paused"}</span>
      <small>{data.detail}</small>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
      {data.startsNothing && actions !== undefined && (
        <div className="open-branches nodrag nopan">
          <button
            type="button"
            className="ins"
            aria-label="Add first step"
            onClick={(event) => {
              event.stopPropagation();
              actions.add({ kind: "free" }, middleOf(event.currentTarget));
            }}
          >
            <Plus size={11} aria-hidden />
          </button>
        </div>
      )}
    </div>
  );
});
