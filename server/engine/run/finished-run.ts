import { isFinal } from "../tasks/task.ts";
import type { FinishedRun } from "../worker/live-runs.ts";
import type { Run } from "./run.ts";

/** Undefined unless the run has ended, and all its entries and its result are in memory. */
export function finishedRun({ task, closing, entries }: Run): FinishedRun | undefined {
  if (
    closing === undefined ||
    entries === undefined ||
    closing.resultRef !== null ||
    !isFinal(closing.status)
  )
    return undefined;
  const { id, ownerId, workflowId, workflowVersion, trigger, input, parentTaskId, createdAt, startedAt } =
    task;
  const { status, error, completedAt } = closing;
  return {
    task: {
      id,
      ownerId,
      workflowId,
      workflowVersion,
      status,
      trigger,
      input,
      error,
      parentTaskId,
      createdAt,
      startedAt,
      completedAt,
    },
    resultJson: closing.result,
    entries,
  };
}
