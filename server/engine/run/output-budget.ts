import type { Outcome } from "./outcome.ts";
import { failureOf } from "./retry.ts";
import type { Run } from "./run.ts";
import { BEGINNING_CHARACTERS, ROW_LIMIT_CHARACTERS } from "../journal/outputs.ts";

/**
 * Counts the output of a step before it is serialised. One that exceeds a budget becomes the failure of its step, which
 * is recorded like any other.
 */
export function withinBudgets(
  run: Run,
  outcome: Outcome,
  inputSize: number,
): { outcome: Outcome; outputSize: number } {
  if (outcome.kind === "waiting") return { outcome, outputSize: 0 };
  const { budgets } = run.deps;
  const outputSize = budgets.measure(outcome.output ?? null, budgets.maxValueBytes);
  // Only the beginning of a larger input is recorded.
  const recorded = outputSize + (inputSize > ROW_LIMIT_CHARACTERS ? BEGINNING_CHARACTERS : inputSize);
  const error =
    outputSize > budgets.maxValueBytes
      ? budgets.valueTooLarge("The output of the step", outputSize)
      : run.recordedBytes + recorded > budgets.maxTaskOutputBytes
        ? budgets.taskOutputsTooLarge()
        : undefined;
  if (error === undefined) {
    run.recordedBytes += recorded;
    return { outcome, outputSize };
  }
  const { closedWaits } = outcome;
  const failed: Outcome = { kind: "failed", failure: failureOf(error) };
  return {
    outcome: closedWaits === undefined ? failed : { ...failed, closedWaits },
    outputSize: 0,
  };
}
