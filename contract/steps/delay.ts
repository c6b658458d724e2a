import { inWords } from "./common.ts";
import { number, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

/** The longest delay: ten years. */
export const MAX_DELAY_SECONDS = 10 * 366 * 24 * 3600;
const ISO_DAY = /^\d{4}-\d\d-\d\d/;

export const delayStep = defineStepType({
  type: "delay",
  title: "Wait",
  description: "Waits for a number of seconds, or until a time, before the run continues.",
  category: "flow",
  synonyms: ["sleep", "pause", "timer", "later", "until"],
  traits: { control: true },
  fields: {
    seconds: number("Number of seconds to wait.", { min: 0, max: MAX_DELAY_SECONDS }).optional(),
    until: text("The time to wait for, such as 2030-01-31T09:00:00Z.")
      .refine((value) => value === "" || value.includes("{{") || isIsoTime(value), {
        error: "must be a time such as 2030-01-31T09:00:00Z, or a placeholder",
      })
      .optional(),
  },
  alternatives: { fields: ["seconds", "until"], exclusive: true },
  summary: ({ seconds, until }) => (seconds === undefined ? inWords(until) : `${inWords(seconds)} s`),
  form: {
    seconds: { label: "For", control: "seconds", example: "5 min" },
    until: { label: "Until", example: "2030-01-31T09:00:00Z" },
  },
  example: { stepId: "pause", type: "delay", seconds: 60 },
});

function isIsoTime(value: string): boolean {
  return ISO_DAY.test(value) && !Number.isNaN(Date.parse(value));
}
