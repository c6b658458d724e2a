import { approversField, knownApprovers } from "../approvers.ts";
import { inWords } from "./common.ts";
import { recipients } from "./email.ts";
import { anyValue, choice, number, text } from "./fields.ts";
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
    approvers: approversField(
      'The members who may decide: email addresses, or "role:admin" for everyone with that role or a higher one. Without it, every member who may approve.',
    ).optional(),
    requiredApprovals: number(
      "How many of them must approve; 1 by default. One rejection always ends the wait.",
      {
        min: 1,
        max: 100,
        whole: true,
      },
    ).optional(),
    notifyEmail: recipients(
      'Sends the question and a link that decides without a login to this address or these addresses; "approvers" sends a personal link to everyone who may decide.',
    ).optional(),
    onTimeout: choice("What happens when no one decides in time; reject by default.", [
      "approve",
      "reject",
      "fail",
    ]).optional(),
  },
  check({ approvers, requiredApprovals }) {
    const known = knownApprovers(approvers);
    if (known === undefined || typeof requiredApprovals !== "number" || requiredApprovals <= known) return [];
    const message = `must be at most ${known}, the number of approvers`;
    return [{ code: "invalid_field", field: "requiredApprovals", message }];
  },
  shortTitle: "Approval",
  summary: ({ message }) => inWords(message),
  form: {
    message: { label: "Question", control: "long", example: "Pay this invoice?" },
    timeoutMs: { label: "Time limit", common: true, control: "milliseconds", example: "24 h" },
    context: { label: "Data to show", control: "long", example: '{ "amount": 128.4 }' },
    approvers: { label: "Approvers" },
    requiredApprovals: { label: "Approvals needed", example: "1" },
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
