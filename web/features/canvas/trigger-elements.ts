import { Position } from "@xyflow/react";
import type { Point } from "../../flow/draft.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../flow/layout.ts";
import type { Trigger } from "../../flow/triggers.ts";
import type { TriggerFlowNode } from "./trigger-node.tsx";

export function triggerNodes(
  triggers: readonly Trigger[],
  positions: ReadonlyMap<string, Point>,
  selected: string | undefined,
  isEmpty = false,
): TriggerFlowNode[] {
  return triggers.map(({ id, kind, title, detail, status }, index) => ({
    id,
    type: "trigger",
    position: positions.get(id) ?? { x: 0, y: 0 },
    // Known in advance, so that React Flow draws the lines without measuring the node first.
    measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
    handles: [{ type: "source", position: Position.Bottom, x: NODE_WIDTH / 2, y: NODE_HEIGHT }],
    data: { kind, title, detail, status, startsNothing: isEmpty && index === 0 },
    draggable: false,
    connectable: false,
    deletable: false,
    selected: id === selected,
    ariaLabel: `Trigger: ${title}, ${detail}${status === "paused" ? ", paused" : ""}`,
  }));
}
