import { approversField, knownApprovers } from "../approvers.ts";
import { inWords, YEAR_MS } from "./common.ts";
import { recipients } from "./email.ts";
import { anyValue, choice, number, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

/** Without a time limit nothing happens by itself. */
const isLimited = ({ timeoutMs }: Readonly<Record<string, unknown>>): boolean => timeoutMs !== undefined;

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
    remindBeforeMs: number(
      "Sends the email of notifyEmail again this time in milliseconds before the time limit, unless somebody has decided.",
      { min: 1, max: YEAR_MS, whole: true },
    ).optional(),
  },
  check(step) {
    return [...checkRequired(step), ...checkReminder(step)];
  },
  shortTitle: "Approval",
  summary: ({ message }) => inWords(message),
  form: {
    message: { label: "Question", control: "long", example: "Pay this invoice?" },
    context: { label: "Data to show", control: "long", example: '{ "amount": 128.4 }' },
    approvers: { label: "Approvers" },
    requiredApprovals: { label: "Approvals needed", example: "1" },
    notifyEmail: { label: "Email the question to", control: "line", example: "ada@example.com" },
    timeoutMs: {
      label: "Time limit",
      hint: "How long to wait for a decision. Without a limit, the run waits until somebody decides.",
      common: true,
      control: "milliseconds",
      example: "24 h",
    },
    onTimeout: {
      label: "When no one decides in time",
      words: { approve: "Approve", reject: "Reject", fail: "Fail the step" },
      example: "Reject (default)",
      applies: isLimited,
      common: true,
    },
    remindBeforeMs: {
      label: "Remind before the limit",
      control: "milliseconds",
      example: "4 h",
      applies: (step) => isLimited(step) && step["notifyEmail"] !== undefined,
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

function checkRequired({ approvers, requiredApprovals }: Record<string, unknown>): FieldProblem[] {
  const known = knownApprovers(approvers);
  if (known === undefined || typeof requiredApprovals !== "number" || requiredApprovals <= known) return [];
  const message = `must be at most ${known}, the number of approvers`;
  return [{ code: "invalid_field", field: "requiredApprovals", message }];
}

/** A reminder that is never sent is a mistake. */
function checkReminder({ remindBeforeMs, timeoutMs, notifyEmail }: Record<string, unknown>): FieldProblem[] {
  if (remindBeforeMs === undefined) return [];
  const problem = (message: string): FieldProblem[] => [
    { code: "invalid_field", field: "remindBeforeMs", message },
  ];
  if (notifyEmail === undefined) return problem("needs `notifyEmail`: the reminder is an email");
  if (timeoutMs === undefined)
    return problem("needs `timeoutMs`: the reminder is sent before the time limit");
  if (typeof remindBeforeMs === "number" && typeof timeoutMs === "number" && remindBeforeMs >= timeoutMs)
    return problem("must be less than `timeoutMs`");
  return [];
}
