import type { StepResult, Task, TaskStatus } from "../engine/tasks/task.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { parseStored, type Embed } from "../lib/stored-json.ts";
import { type CustomResponse, readCustomResponse } from "./custom-response.ts";
import { viewStep } from "../tasks/task-view.ts";

/** The response of a call that waited for its run; the route maps `kind` to an HTTP status. */
export type SyncResponse =
  | { kind: "done"; body: Record<string, unknown> }
  | {
      kind: "execution_failed" | "execution_timeout";
      message: string;
      more: Record<string, unknown>;
    };

export function toSyncResponse({ task, stepResults }: TaskWithSteps, embed: Embed): SyncResponse {
  const { id: taskId, status } = task;
  const viewSteps = () => stepResults.map((step) => viewStep(step, embed));
  switch (status) {
    case "completed":
    case "waiting_approval":
      return {
        kind: "done",
        body: { ok: true, taskId, status, result: embed(task.result), stepResults: viewSteps() },
      };
    case "failed":
    case "cancelled":
    case "rejected":
      return {
        kind: "execution_failed",
        message: failureMessage(task),
        more: { taskId, status, failedStep: failedStepOf(task, stepResults), stepResults: viewSteps() },
      };
    default:
      return {
        kind: "execution_timeout",
        message: "The run did not end within the time limit of this call. It continues; read its task later.",
        more: { taskId, status },
      };
  }
}

/** The output of the response step as the whole response; undefined for a run that did not complete. */
export async function toCustomResponse({
  task,
}: TaskWithSteps): Promise<CustomResponse | string | undefined> {
  if (task.status !== "completed") return undefined;
  const result = await parseStored(task.result);
  return readCustomResponse(result?.output ?? null);
}

/** `reason`: why the output is no HTTP response. */
export function toBadResponse(
  { task: { id: taskId, status }, stepResults }: TaskWithSteps,
  reason: string,
  embed: Embed,
): SyncResponse {
  return {
    kind: "execution_failed",
    message: `The run completed, but the output of its response step is no HTTP response: ${reason}.`,
    more: { taskId, status, failedStep: null, stepResults: stepResults.map((step) => viewStep(step, embed)) },
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
