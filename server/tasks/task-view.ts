import type { StepResult, Task } from "../engine/task.ts";
import { sumUsage } from "../engine/token-usage.ts";
import { toIso } from "../lib/clock.ts";

export type TaskSummary = Omit<Task, "input" | "result">;

function time(value: number | null): string | null {
  return value === null ? null : toIso(value);
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
    ...(task.parentTaskId === null ? {} : { parentTaskId: task.parentTaskId }),
    createdAt: toIso(task.createdAt),
    startedAt: time(task.startedAt),
    completedAt: time(task.completedAt),
  };
}

export function viewStep(step: StepResult) {
  return { ...step, startedAt: time(step.startedAt), completedAt: time(step.completedAt) };
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
