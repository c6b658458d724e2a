import type { StepAttempt } from "../engine/tasks/step-attempts.ts";
import type { StepResult, Task } from "../engine/tasks/task.ts";
import { sumUsage } from "../engine/tasks/token-usage.ts";
import { toIso } from "../lib/clock.ts";
import { isId } from "../lib/ids.ts";

export type TaskSummary = Omit<Task, "input" | "result">;

function time(value: number | null): string | null {
  return value === null ? null : toIso(value);
}

/** What an agent starts in a session hangs below the session, whose own task nobody sees. */
function linkOf({ parentTaskId }: TaskSummary): { parentTaskId?: string; sessionId?: string } {
  if (parentTaskId === null) return {};
  return isId("sess", parentTaskId) ? { sessionId: parentTaskId } : { parentTaskId };
}

/** What a list shows: nothing that can be large. */
export function viewSummary(task: TaskSummary) {
  return {
    id: task.id,
    taskId: task.id,
    workflowId: task.workflowId,
    workflowVersion: task.workflowVersion,
    status: task.status,
    trigger: task.trigger,
    error: task.error === null ? null : { ...task.error },
    ...linkOf(task),
    createdAt: toIso(task.createdAt),
    startedAt: time(task.startedAt),
    completedAt: time(task.completedAt),
  };
}

export function viewStep(step: StepResult) {
  const { dueAt } = step;
  return {
    ...step,
    startedAt: time(step.startedAt),
    completedAt: time(step.completedAt),
    ...(dueAt === undefined ? {} : { dueAt: toIso(dueAt as number) }),
  };
}

export function viewAttempt(attempt: StepAttempt) {
  return { ...attempt, completedAt: toIso(attempt.completedAt), retryAt: time(attempt.retryAt) };
}

export function viewTask(task: Task, stepResults: readonly StepResult[]) {
  const usage = sumUsage(stepResults.map((step) => step["usage"]));
  return {
    ...viewSummary(task),
    input: task.input,
    result: task.result,
    ...(usage === undefined ? {} : { usage }),
    stepResults: stepResults.map(viewStep),
  };
}
