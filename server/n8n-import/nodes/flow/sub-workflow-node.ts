import { at, locatorOf, recordOf, textOf } from "../../source/parameters.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

function subWorkflow(tools: Tools): Converted {
  const { parameters } = tools;
  const source = textOf(parameters["source"]);
  if (source !== "" && source !== "database") {
    tools.check(
      "The workflow inside of the node is not imported. Import it as its own workflow and choose it.",
    );
  }
  const given = recordOf(parameters["workflowId"]);
  const name = textOf(given["cachedResultName"]);
  const id = tools.text(locatorOf(parameters["workflowId"]), "workflowId") || "choose-workflow";
  tools.check(`Import ${name === "" ? "that workflow" : `“${name}”`} too, and choose it in this step.`);
  const inputs = recordOf(at(parameters, "workflowInputs", "value"));
  const isMapped = Object.keys(inputs).length > 0;
  if (at(parameters, "options", "waitForSubWorkflow") === false)
    tools.check("This step waits for the workflow to end.");
  return {
    step: {
      type: "workflow",
      workflowId: id,
      input: isMapped ? tools.value(inputs, "workflowInputs.value") : tools.current(),
    },
    output: { path: [], isExact: true },
  };
}

export const subWorkflowNode: NodeKind = {
  flow: ({ parameters }) => ({ takes: parameters["mode"] === "each" ? "item" : "all" }),
  convert: subWorkflow,
};
