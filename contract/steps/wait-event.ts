import { compileTemplate } from "../placeholders/compile.ts";
import type { JsonValue } from "../placeholders/json-value.ts";
import { inWords } from "./common.ts";
import { anyValue, fixedChoice, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

/** Name and key are stored as text, so that an event finds the step that waits for it. */
function findSecret(step: Record<string, unknown>): FieldProblem[] {
  return ["event", "key"]
    .filter((field) =>
      compileTemplate((step[field] ?? null) as JsonValue).references.some(({ root }) => root === "secrets"),
    )
    .map((field) => ({
      code: "invalid_field",
      field,
      message: "is stored and cannot contain a secret. Use a value that is not secret, such as {{task.id}}",
    }));
}

export const waitEventStep = defineStepType({
  type: "wait_event",
  title: "Wait for event",
  description:
    "Pauses the run until an event with this name and key is sent to POST /api/events, or until its resume URL is called. timeoutMs limits the wait.",
  category: "flow",
  synonyms: ["webhook", "callback", "signal", "resume", "correlation", "message", "external", "until"],
  traits: { control: true, branching: "timeout" },
  fields: {
    event: text("The name of the event, such as payment.received."),
    key: anyValue(
      "Tells events of the same name apart, such as an order number; text or a number.",
    ).optional(),
    onTimeout: fixedChoice(
      'When no event arrives in time and no edge has the condition "timeout", "fail" fails the step, "continue" continues the run; "fail" by default.',
      ["fail", "continue"],
    ).optional(),
  },
  check: findSecret,
  shortTitle: "Event",
  summary: ({ event, key }) => (key === undefined ? inWords(event) : `${inWords(event)} · ${inWords(key)}`),
  form: {
    event: { label: "Event name", example: "payment.received" },
    key: { label: "Key", common: true, control: "line", example: "Type @ for an order number" },
    timeoutMs: { label: "Time limit", common: true, control: "milliseconds", example: "24 h" },
    onTimeout: {
      label: "When no event arrives in time",
      words: { fail: "Fail the step", continue: "Continue the run" },
    },
  },
  example: {
    stepId: "paid",
    type: "wait_event",
    event: "payment.received",
    key: "{{input.orderId}}",
    timeoutMs: 86_400_000,
  },
});
