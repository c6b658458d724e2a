import { anyText, fixedChoice, fixedNumber, text } from "./fields.ts";

const YEAR_MS = 366 * 24 * 3600 * 1000;

/** What every step has. Retries, time limits and joins are plain values: the engine plans with them before it renders. */
export const commonFields = {
  stepId: text("A short name for this step, different from every other step's. Other steps refer to it."),
  name: anyText("What people see as the title of this step.").optional(),
  maxRetries: fixedNumber("How many more times to try when the step fails. 0 means no retry.", {
    min: 0,
    max: 100,
    whole: true,
  }).optional(),
  backoffMultiplier: fixedNumber(
    "How much longer each wait between two tries is than the one before. The first wait is one second.",
    { min: 1, max: 10 },
  ).optional(),
  timeoutMs: fixedNumber("How long the step may take, in milliseconds, before it counts as failed.", {
    min: 1,
    max: YEAR_MS,
    whole: true,
  }).optional(),
  onError: fixedChoice('What a failure does: "fail" ends the run, "continue" goes on with an empty output.', [
    "fail",
    "continue",
  ]).optional(),
  join: fixedChoice(
    'When several edges lead here: "all" waits until every one of them is decided, "any" starts at the first one taken.',
    ["all", "any"],
  ).optional(),
};
