import type { Problem } from "../graph.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { allSteps } from "./all-steps.ts";
import { isDisabled } from "./disabled.ts";
import { quote } from "./report.ts";

/**
 * Warnings about the step whose output is the result of a run. They are no errors: an edit may remove the step, and its
 * setting is not part of a version. `warnings` are those of the graph.
 */
export function responseStepWarnings(
  responseStepId: string | undefined,
  { steps }: { steps: readonly unknown[] },
  warnings: readonly Problem[],
): Problem[] {
  if (responseStepId === undefined) return [];
  const label = `The response step ${quote(responseStepId)} (apiSettings.responseStepId)`;
  const isNamed = (step: Record<string, unknown>) => step["stepId"] === responseStepId;
  const step = steps.filter(isRecord).find(isNamed);
  if (step === undefined) {
    const isInner = allSteps({ steps }).some(isNamed);
    const problem = isInner ? "is inside a loop: choose the loop" : "is not a step of this workflow";
    const message = `${label} ${problem}. Until this is changed, results have the output of the only final step.`;
    return [{ code: "unknown_response_step", message }];
  }
  const isUnreachable = warnings.some(
    ({ code, stepId }) => code === "unreachable_step" && stepId === responseStepId,
  );
  if (!isDisabled(step) && !isUnreachable) return [];
  const reason = isDisabled(step) ? "is disabled" : "can never run";
  const message = `${label} ${reason}, so the output of every run is null. Choose another step.`;
  return [{ code: "response_step_never_runs", message, stepId: responseStepId }];
}
