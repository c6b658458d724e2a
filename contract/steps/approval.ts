import { anyValue, choice, text } from "./fields.ts";
import { recipients } from "./email.ts";
import { defineStepType } from "./step-type.ts";

export const approvalStep = defineStepType({
  type: "approval",
  title: "Wait for approval",
  description:
    "Pauses the run until a person approves or rejects. A rejection ends the run; timeoutMs limits the wait.",
  category: "flow",
  synonyms: ["human in the loop", "review", "confirm", "sign off", "manual", "person", "ask"],
  traits: { control: true },
  fields: {
    message: text("The question that the person decides."),
    context: anyValue(
      "Data shown with the question, such as the order to approve; at most 64 KiB.",
    ).optional(),
    notifyEmail: recipients(
      "Sends the question and a link that decides without a login to this address or these addresses.",
    ).optional(),
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
    context: { supplier: "{{input.supplier}}", amount: "{{input.amount}}" },
    timeoutMs: 86_400_000,
  },
});
