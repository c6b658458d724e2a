import { inWords } from "./common.ts";
import { recipients } from "./email.ts";
import { anyValue, choice, text } from "./fields.ts";
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
  shortTitle: "Approval",
  summary: ({ message }) => inWords(message),
  form: {
    message: { label: "Question", control: "long", example: "Pay this invoice?" },
    timeoutMs: { label: "Time limit", common: true, control: "milliseconds", example: "24 h" },
    context: { label: "Data to show", control: "long", example: '{ "amount": 128.4 }' },
    notifyEmail: { label: "Email the question to", control: "line", example: "ada@example.com" },
    onTimeout: {
      label: "When no one decides in time",
      words: { approve: "Approve", reject: "Reject", fail: "Fail the step" },
    },
  },
  example: {
    stepId: "manager-approval",
    type: "approval",
    message: "Pay invoice {{input.invoiceNumber}}?",
    context: { supplier: "{{input.supplier}}", amount: "{{input.amount}}" },
    timeoutMs: 86_400_000,
  },
});
