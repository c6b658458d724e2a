import type { LoopFlowNode } from "./loop-node.tsx";
import type { StepFlowNode } from "./step-node.tsx";
import type { TriggerFlowNode } from "./trigger-node.tsx";

/** A step of the workflow: a box, or a container with its steps inside. */
export type StepLikeNode = StepFlowNode | LoopFlowNode;
/** Everything that is drawn as a box on the canvas. */
export type CanvasNode = StepLikeNode | TriggerFlowNode;

export function isStepNode(node: CanvasNode): node is StepLikeNode {
  return node.type === "step" || node.type === "loop";
}
