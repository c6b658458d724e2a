import type { Converted, NodeKind, Tools } from "../tools.ts";
import { branchNodes } from "./branch-nodes.ts";
import { mergeNode } from "./merge-node.ts";
import { respondNode } from "./respond-node.ts";
import { subWorkflowNode } from "./sub-workflow-node.ts";
import { waitNode } from "./wait-node.ts";

function stop(tools: Tools): Converted {
  const { parameters } = tools;
  const given =
    parameters["errorType"] === "errorObject" ? parameters["errorObject"] : parameters["errorMessage"];
  const message = tools.script(given ?? "Stopped", "errorMessage");
  return { step: { type: "code", code: `throw new Error(${message});` } };
}

const passOn = (tools: Tools): Converted => ({ step: { type: "transform", template: listOrOne(tools) } });

function listOrOne(tools: Tools): unknown {
  return tools.scope.current.some(({ shape }) => shape === "list") ? tools.items() : tools.current();
}

function saveData(tools: Tools): Converted {
  tools.check("It passes on what arrives, and saves no data of the run.");
  return passOn(tools);
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
    convert: (tools) => ({ step: { type: "transform", template: tools.items() } }),
  },
  executeWorkflow: subWorkflowNode,
  respondToWebhook: respondNode,
  stopAndError: { flow: () => ({ takes: "through" }), convert: stop },
};
