import type { StepResult, Task, TaskStatus } from "../engine/tasks/task.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { viewStep } from "../tasks/task-view.ts";

/** What a synchronous call is told; the HTTP side knows the status that belongs to each kind. */
export type SettledAnswer =
  | { kind: "done"; body: Record<string, unknown> }
  | {
      kind: "execution_failed" | "execution_timeout";
      message: string;
      more: Record<string, unknown>;
    };

export function settledAnswer({ task, stepResults }: TaskWithSteps): SettledAnswer {
  const { id: taskId, status } = task;
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
        message: "The run takes longer than this call may wait. It goes on; ask for its task later.",
        more: { taskId, status },
      };
  }
}

function failureMessage({ status, error }: { status: TaskStatus; error: Task["error"] }): string {
  if (status === "cancelled") return "The run was cancelled.";
  if (status === "rejected") return "The run was rejected at an approval.";
  return error?.message ?? "The run failed.";
}

function failedStepOf(task: Task, stepResults: StepResult[]): string | null {
  return task.error?.stepId ?? stepResults.find(({ status }) => status === "failed")?.stepId ?? null;
}
