import type { ErrorCode } from "../../../contract/errors.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { StepStatus, TaskStatus, Trigger } from "../../../contract/tasks.ts";

export type { StepStatus, TaskStatus, Trigger };

export const finalStatuses = ["completed", "failed", "cancelled", "rejected"] as const satisfies TaskStatus[];

export type FinalStatus = (typeof finalStatuses)[number];

export function isFinal(status: TaskStatus): boolean {
  return (finalStatuses as readonly TaskStatus[]).includes(status);
}

export interface Idempotency {
  /** Keys are unique within a scope: one endpoint of one owner. */
  scope: string;
  key: string;
  /** Same key and same hash: the same task. Another hash: `idempotency_conflict`. */
  bodyHash: string;
  /** The key alone identifies the request: another hash is the same task, too. */
  matchesAnyBody?: boolean;
}

export interface StepError {
  /** Stored: codes of the table are never renamed or removed, so those of older runs are in it, too. */
  code: ErrorCode;
  message: string;
  /** The setting of the limit that was reached, or the connection that was refused. */
  details?: { limit?: string; connection?: string };
}

/** `outputs` maps every final step to its output; `output` is that of the response step, else of the only final step. */
export interface TaskResult {
  output: JsonValue;
  outputs: Record<string, JsonValue>;
}

/** The result of one step, as the API returns it. */
export interface StepResult {
  stepId: string;
  type: string;
  status: StepStatus;
  input: JsonValue;
  output: JsonValue;
  error: StepError | null;
  attempts: number;
  startedAt: number | null;
  completedAt: number | null;
  durationMs: number | null;
  /** Fields that a runner adds to the output: an http step's `response`, a model's `usage` … */
  [extra: string]: unknown;
}

export interface Task {
  id: string;
  ownerId: string;
  workflowId: string;
  workflowVersion: number;
  status: TaskStatus;
  trigger: Trigger;
  input: JsonValue;
  result: TaskResult | null;
  error: (StepError & { stepId?: string }) | null;
  parentTaskId: string | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
}
