import { AppError } from "../lib/errors.ts";

/** Thrown to a trigger of a workflow that is not active. Manual runs and other workflows can still start it. */
export function workflowPaused(): AppError {
  return new AppError(
    "workflow_paused",
    "The workflow is paused, so its triggers start nothing. Activate it and send the request again.",
  );
}
