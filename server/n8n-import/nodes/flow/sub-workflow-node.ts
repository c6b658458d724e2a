import { at, locatorOf, recordOf, textOf } from "../../source/parameters.ts";
import type { Converted, NodeContext, NodeKind } from "../node-context.ts";

function subWorkflow(context: NodeContext): Converted {
  const { parameters } = context;
  const source = textOf(parameters["source"]);
  if (source !== "" && source !== "database") {
    context.check(
      "The workflow inside of the node is not imported. Import it as its own workflow and choose it.",
    );
  }
  const given = recordOf(parameters["workflowId"]);
  const name = textOf(given["cachedResultName"]);
  const id = context.text(locatorOf(parameters["workflowId"]), "workflowId") || "choose-workflow";
  context.check(`Import ${name === "" ? "that workflow" : `“${name}”`} too, and choose it in this step.`);
  const inputs = recordOf(at(parameters, "workflowInputs", "value"));
  const isMapped = Object.keys(inputs).length > 0;
  if (at(parameters, "options", "waitForSubWorkflow") === false)
    context.check("This step waits for the workflow to end.");
  return {
    step: {
      type: "workflow",
      workflowId: id,
      input: isMapped ? context.value(inputs, "workflowInputs.value") : context.current(),
    },
    output: { path: [], isExact: true },
  };
}

export const subWorkflowNode: NodeKind = {
  flow: ({ parameters }) => ({ takes: parameters["mode"] === "each" ? "item" : "all" }),
  convert: subWorkflow,
};
