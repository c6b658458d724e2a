import type { StepForm } from "./form.ts";
import { anyText, fixedBoolean, fixedChoice, fixedNumber, text } from "./fields.ts";

export const YEAR_MS = 366 * 24 * 3600 * 1000;

/** For steps that run other workflows. It cannot be a placeholder, so that a form shows the choice. */
export function onParentEnd(runs: string) {
  return fixedChoice(
    `When this run fails or is cancelled, "cancel" also cancels ${runs}, "continue" does not; "cancel" by default.`,
    ["cancel", "continue"],
  ).optional();
}

/** The fields of every step. Retries, time limits and joins cannot be placeholders: the engine needs them before it renders. */
export const commonFields = {
  stepId: text("A short, unique name for this step. Other steps refer to it."),
  name: anyText("The title of this step.").optional(),
  maxRetries: fixedNumber("Maximum number of retries when the step fails. 0 means no retry.", {
    min: 0,
    max: 100,
    whole: true,
  }).optional(),
  backoffMultiplier: fixedNumber(
    "Factor by which the wait between two attempts grows. The first wait is one second.",
    { min: 1, max: 10 },
  ).optional(),
  timeoutMs: fixedNumber("Time limit in milliseconds, after which the step fails.", {
    min: 1,
    max: YEAR_MS,
    whole: true,
  }).optional(),
  onError: fixedChoice('On failure, "fail" ends the run, "continue" continues it with an empty output.', [
    "fail",
    "continue",
  ]).optional(),
  join: fixedChoice(
    'With several incoming edges, "all" waits until every one is decided, "any" starts when the first one is taken, "first" starts when the first branch succeeds, skips the others, and fails only when all of them fail.',
    ["all", "any", "first"],
  ).optional(),
  disabled: fixedBoolean(
    "The step does not run. The run continues along its edges without a condition, and its output is empty.",
  ).optional(),
};

/** How a form shows the fields above. */
export const commonForm: StepForm = {
  maxRetries: { label: "Retries", section: "error", example: "0" },
  backoffMultiplier: { label: "Wait grows by", section: "error", example: "2" },
  onError: {
    label: "When all attempts fail",
    section: "error",
    words: { fail: "Stop the run", continue: "Continue with an empty output" },
  },
  timeoutMs: { label: "Time limit", section: "limits", control: "milliseconds", example: "30 s" },
  join: {
    label: "When several lines meet here",
    section: "lines",
    words: {
      all: "Wait for all of them",
      any: "Start with the first",
      first: "Start with the first that succeeds, skip the others",
    },
  },
  onParentEnd: {
    label: "When this run fails or is canceled",
    section: "lines",
    words: { cancel: "Cancel the started runs too", continue: "Let the started runs continue" },
  },
};

/** A value of a step as text, for its summary. */
export function inWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
