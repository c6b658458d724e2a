import type { Converted, NodeContext, NodeKind } from "../node-context.ts";
import { branchNodes } from "./branch-nodes.ts";
import { mergeNode } from "./merge-node.ts";
import { respondNode } from "./respond-node.ts";
import { subWorkflowNode } from "./sub-workflow-node.ts";
import { waitNode } from "./wait-node.ts";

function stop(context: NodeContext): Converted {
  const { parameters } = context;
  const given =
    parameters["errorType"] === "errorObject" ? parameters["errorObject"] : parameters["errorMessage"];
  const message = context.script(given ?? "Stopped", "errorMessage");
  return { step: { type: "code", code: `throw new Error(${message});` } };
}

const passOn = (context: NodeContext): Converted => ({
  step: { type: "transform", template: listOrOne(context) },
});

function listOrOne(context: NodeContext): unknown {
  return context.scope.current.some(({ shape }) => shape === "list") ? context.items() : context.current();
}

function saveData(context: NodeContext): Converted {
  context.check("It passes on what arrives, and saves no data of the run.");
  return passOn(context);
}

const passing: NodeKind = { flow: () => ({ takes: "through", passes: true }), convert: passOn };

export const flowNodes: Readonly<Record<string, NodeKind>> = {
  ...branchNodes,
  merge: mergeNode,
  wait: waitNode,
  noOp: passing,
  executionData: { ...passing, convert: saveData },
  splitInBatches: {
    flow: () => ({ takes: "all", gives: "list", isLoop: true }),
    convert: (context) => ({ step: { type: "transform", template: context.items() } }),
  },
  executeWorkflow: subWorkflowNode,
  respondToWebhook: respondNode,
  stopAndError: { flow: () => ({ takes: "through" }), convert: stop },
};
