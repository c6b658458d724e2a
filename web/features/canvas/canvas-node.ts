import type { LoopFlowNode } from "./loop-node.tsx";
import type { NoteFlowNode } from "./note-node.tsx";
import type { StepFlowNode } from "./step-node.tsx";
import type { TriggerFlowNode } from "./trigger-node.tsx";

/** A step of the workflow: a box, or a container with its steps inside. */
export type StepLikeNode = StepFlowNode | LoopFlowNode;
/** A node that the user moves and selects. */
export type OwnNode = StepLikeNode | NoteFlowNode;
/** Everything that is drawn as a box on the canvas. */
export type CanvasNode = OwnNode | TriggerFlowNode;

export function isStepNode(node: CanvasNode): node is StepLikeNode {
  return node.type === "step" || node.type === "loop";
}
