import type { StepResult, Task, TaskStatus } from "../engine/tasks/task.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { type CustomResponse, readCustomResponse } from "./custom-response.ts";
import { viewStep } from "../tasks/task-view.ts";

/** The response of a call that waited for its run; the route maps `kind` to an HTTP status. */
export type SyncResponse =
  | { kind: "done"; body: Record<string, unknown> }
  | { kind: "custom"; response: CustomResponse }
  | {
      kind: "execution_failed" | "execution_timeout";
      message: string;
      more: Record<string, unknown>;
    };

export interface SyncResponseOptions {
  /** The output of the response step is the whole response. */
  isCustom: boolean;
}

export function toSyncResponse(
  { task, stepResults }: TaskWithSteps,
  { isCustom }: SyncResponseOptions = { isCustom: false },
): SyncResponse {
  const { id: taskId, status } = task;
  if (isCustom && status === "completed") return toCustomResponse(task, stepResults);
  switch (status) {
    case "completed":
    case "waiting_approval":
      return {
        kind: "done",
        body: { ok: true, taskId, status, result: task.result, stepResults: stepResults.map(viewStep) },
      };
    case "failed":
    case "cancelled":
    case "rejected":
      return {
        kind: "execution_failed",
        message: failureMessage(task),
        more: {
          taskId,
          status,
          failedStep: failedStepOf(task, stepResults),
          stepResults: stepResults.map(viewStep),
        },
      };
    default:
      return {
        kind: "execution_timeout",
        message: "The run did not end within the time limit of this call. It continues; read its task later.",
        more: { taskId, status },
      };
  }
}

function toCustomResponse(task: Task, stepResults: StepResult[]): SyncResponse {
  const response = readCustomResponse(task.result?.output ?? null);
  if (typeof response !== "string") return { kind: "custom", response };
  return {
    kind: "execution_failed",
    message: `The run completed, but the output of its response step is no HTTP response: ${response}.`,
    more: {
      taskId: task.id,
      status: task.status,
      failedStep: null,
      stepResults: stepResults.map(viewStep),
    },
  };
}

function failureMessage({ status, error }: { status: TaskStatus; error: Task["error"] }): string {
  if (status === "cancelled") return "The run was cancelled.";
  if (status === "rejected") return "The run was rejected at an approval.";
  return error?.message ?? "The run failed.";
}

function failedStepOf(task: Task, stepResults: StepResult[]): string | null {
  return task.error?.stepId ?? stepResults.find(({ status }) => status === "failed")?.stepId ?? null;
}
