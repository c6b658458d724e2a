import { choice, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const approvalStep = defineStepType({
  type: "approval",
  title: "Wait for approval",
  description:
    "Pauses the run until a person approves or rejects. A rejection ends the run; timeoutMs limits the wait.",
  category: "flow",
  traits: { control: true },
  fields: {
    message: text("The question that the person decides."),
    onTimeout: choice("What happens when no one decides in time; reject by default.", [
      "approve",
      "reject",
      "fail",
    ]).optional(),
  },
  example: {
    stepId: "manager-approval",
    type: "approval",
    message: "Pay invoice {{input.invoiceNumber}}?",
    timeoutMs: 86_400_000,
  },
});
