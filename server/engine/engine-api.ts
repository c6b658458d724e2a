import type { Graph } from "../../contract/graph.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { EntryHead } from "./journal/journal-entry.ts";
import type { Page } from "../lib/page.ts";
import type { CancelledTask } from "./store.ts";
import type { StepAttempt } from "./tasks/step-attempts.ts";
import type { Idempotency, StepResult, Task, TaskStatus, Trigger } from "./tasks/task.ts";

/** A workflow version as the engine runs it. */
export interface RunnableWorkflow {
  id: string;
  ownerId: string;
  name: string;
  version: number;
  graph: Graph;
  responseStepId?: string | undefined;
}

export interface StartTask {
  workflow: RunnableWorkflow;
  trigger: Trigger;
  input: JsonValue;
  idempotency?: Idempotency | undefined;
  parentTaskId?: string | undefined;
  /** What in that task starts this one: made once for it, never queued behind it, cancelled with it. */
  parentStep?: string | undefined;
  /** How deep the caller stands, when a task of another workflow or an agent starts this one. */
  depth?: number | undefined;
  /** Run only these steps; outputs of others come from here. */
  selection?: { stepIds: string[]; outputs: Record<string, JsonValue> } | undefined;
}

export interface Decision {
  decision: "approve" | "reject";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  /** Which approval, when the task waits for several; else the one that was asked for first. */
  stepId?: string | undefined;
}

export interface Replay {
  fromStepId?: string | undefined;
  input?: JsonValue | undefined;
  /** The workflow version to run; by default the one that the task ran. */
  workflow?: RunnableWorkflow | undefined;
}

/** What watchers hear: journal entries with their number once they are durable, and beginnings without one. */
export type TaskEvent = { seq: number; entry: EntryHead } | { seq: null; path: string; type: string };

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

export interface SettledOptions {
  signal?: AbortSignal | undefined;
  /** It was queued this moment: there is nothing to read before it moves. */
  isQueued?: boolean;
}

export interface AttemptPage {
  limit: number;
  cursor?: string | undefined;
}

export interface Engine {
  /** On disk when it resolves. Throws `idempotency_conflict`. */
  start(request: StartTask): Promise<Started>;
  /** Resolves when the task has ended, waits for an approval, or the time is over (whatever comes first). */
  settled(taskId: string, timeoutMs: number, options?: SettledOptions): Promise<TaskWithSteps>;
  /** By id alone: the caller has checked whose it is. */
  read(taskId: string): Promise<TaskWithSteps | undefined>;

  /** Ends the task and what its steps have started; false when it had ended before. */
  cancel(taskId: string): Promise<boolean>;
  /** These were cancelled by a write that is not the engine's own: their work stops here, and watchers hear of it. */
  cancelled(tasks: readonly CancelledTask[]): void;
  /** A write that is not the engine's own may let this task go on: it is looked at here and now. */
  nudge(taskId: string, lane: string): void;
  /** Exactly one decision counts: throws `task_not_waiting` for the second. Returns the status it leads to. */
  decide(taskId: string, decision: Decision): Promise<"running" | "rejected">;
  /** The same task goes on at the step that failed. Throws `task_not_failed`. */
  rerunFromFailed(
    taskId: string,
    workflow?: RunnableWorkflow,
  ): Promise<{ rerunFromStep: string; status: TaskStatus }>;
  /** A new task, linked to this one, that keeps the results before `fromStepId`. */
  replay(taskId: string, replay: Replay): Promise<Started>;
  /** How each try of a step ended, newest first; `cursor` is that of the page before. */
  attempts(taskId: string, path: string, page: AttemptPage): Promise<Page<StepAttempt>>;
  /** Outputs that a task has recorded for these steps, or was given for them. */
  outputsOf(taskId: string, stepIds: readonly string[]): Promise<Record<string, JsonValue>>;

  /** Without payloads: pages of 200 outputs of 100 kB would hold the event loop for 50 ms each. */
  events(taskId: string, afterSeq: number, limit: number): Promise<EntryHead[]>;
  watch(taskId: string, listener: (event: TaskEvent) => void): () => void;
  /** How much is under way and waits. */
  stats(): Promise<{ running: number; due: number; oldestDueSeconds: number; stuck: number }>;
  close(): Promise<void>;
}
