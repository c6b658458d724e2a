import { onParentEnd } from "./common.ts";
import { anyValue, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const workflowStep = defineStepType({
  type: "workflow",
  title: "Run a workflow",
  description: "Runs another of your workflows and returns its output.",
  category: "flow",
  synonyms: ["sub-workflow", "subflow", "call", "function", "reuse", "child"],
  traits: { control: true, startsTasks: true },
  fields: {
    workflowId: text("The workflow to run."),
    input: anyValue("The input of the other workflow.").optional(),
    onParentEnd: onParentEnd("the run that this step starts"),
  },
  shortTitle: "Workflow",
  form: {
    workflowId: { label: "Workflow" },
    input: { label: "Input", control: "long", common: true, example: '{ "order": 7 }' },
  },
  example: {
    stepId: "send-invoice",
    type: "workflow",
    workflowId: "{{vars.invoiceWorkflow}}",
    input: { order: "{{input.order}}" },
  },
});
