import type { Graph } from "../../contract/graph.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepResult, Task, TaskStatus, Trigger } from "./task.ts";

/** A workflow version as the engine runs it. */
export interface RunnableWorkflow {
  id: string;
  ownerId: string;
  name: string;
  version: number;
  graph: Graph;
  responseStepId?: string | undefined;
}

export interface Idempotency {
  /** Keys count within a scope: one endpoint of one owner. */
  scope: string;
  key: string;
  /** Same key and same hash → the same task; another hash → `idempotency_conflict`. */
  bodyHash: string;
}

export interface StartTask {
  workflow: RunnableWorkflow;
  trigger: Trigger;
  input: JsonValue;
  idempotency?: Idempotency | undefined;
  parentTaskId?: string | undefined;
}

export interface Started {
  taskId: string;
  status: TaskStatus;
  /** True when an earlier call with the same idempotency key has made this task. */
  existing: boolean;
}

/** A task with its step results. */
export interface TaskWithSteps {
  task: Task;
  stepResults: StepResult[];
}

export interface Engine {
  /** On disk when it resolves. Throws `idempotency_conflict`. */
  start(request: StartTask): Promise<Started>;
  /** Resolves when the task has ended, waits for an approval, or the time is over (whatever comes first). */
  settled(taskId: string, timeoutMs: number, signal?: AbortSignal): Promise<TaskWithSteps>;
  /** By id alone: the caller has checked whose it is. */
  read(taskId: string): Promise<TaskWithSteps | undefined>;
}
