import type { StepFlowNode } from "./step-node.tsx";
import type { TriggerFlowNode } from "./trigger-node.tsx";

/** Everything that is drawn as a box on the canvas. */
export type CanvasNode = StepFlowNode | TriggerFlowNode;

export function isStepNode(node: CanvasNode): node is StepFlowNode {
  return node.type === "step";
}
