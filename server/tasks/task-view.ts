import type { LoopItem } from "../engine/tasks/loop-items.ts";
import type { StepAttempt } from "../engine/tasks/step-attempts.ts";
import type { StepResult, Task } from "../engine/tasks/task.ts";
import { sumSpent } from "../engine/tasks/token-usage.ts";
import { toIso } from "../lib/clock.ts";
import { isId } from "../lib/ids.ts";
import type { Embed } from "../lib/stored-json.ts";

export type TaskSummary = Omit<Task, "input" | "result">;

function isoOrNull(value: number | null): string | null {
  return value === null ? null : toIso(value);
}

/** The parent of a task that an agent starts in a session is the session, whose own task is hidden. */
function parentOf({ parentTaskId }: TaskSummary): { parentTaskId?: string; sessionId?: string } {
  if (parentTaskId === null) return {};
  return isId("sess", parentTaskId) ? { sessionId: parentTaskId } : { parentTaskId };
}

/** For lists: without fields that can be large. */
export function viewSummary(task: TaskSummary) {
  return {
    id: task.id,
    taskId: task.id,
    workflowId: task.workflowId,
    workflowVersion: task.workflowVersion,
    ...(task.workflowVersion < 0 ? { draft: true as const } : {}),
    status: task.status,
    trigger: task.trigger,
    error: task.error === null ? null : { ...task.error },
    ...parentOf(task),
    createdAt: toIso(task.createdAt),
    startedAt: isoOrNull(task.startedAt),
    completedAt: isoOrNull(task.completedAt),
  };
}

export function viewStep(step: StepResult, embed: Embed) {
  const { dueAt } = step;
  return {
    ...step,
    input: embed(step.input),
    output: embed(step.output),
    startedAt: isoOrNull(step.startedAt),
    completedAt: isoOrNull(step.completedAt),
    ...(dueAt === undefined ? {} : { dueAt: toIso(dueAt as number) }),
  };
}

export function viewAttempt(attempt: StepAttempt) {
  return {
    ...attempt,
    startedAt: isoOrNull(attempt.startedAt),
    completedAt: toIso(attempt.completedAt),
    retryAt: isoOrNull(attempt.retryAt),
  };
}

export function viewLoopItem({ steps, ...item }: LoopItem & { item: unknown }) {
  return {
    ...item,
    steps: steps.map(({ dueAt, final: _final, ...step }) => ({
      ...step,
      startedAt: isoOrNull(step.startedAt),
      completedAt: isoOrNull(step.completedAt),
      durationMs:
        step.startedAt === null || step.completedAt === null ? null : step.completedAt - step.startedAt,
      ...(dueAt === null ? {} : { dueAt: toIso(dueAt) }),
    })),
  };
}

export function viewTask(task: Task, stepResults: readonly StepResult[], embed: Embed) {
  return {
    ...viewSummary(task),
    input: task.input,
    result: embed(task.result),
    ...sumSpent(stepResults),
    stepResults: stepResults.map((step) => viewStep(step, embed)),
  };
}
