import type { Readable } from "node:stream";
import type { DecisionVia } from "../../contract/approvals.ts";
import type { Graph } from "../../contract/graph.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { RunSettings } from "../../contract/workflow-settings.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import type { LogLine } from "../../contract/step-log.ts";
import type { EntryHead } from "./journal/journal-entry.ts";
import type { Deadline } from "../lib/deadline.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { ApprovalState, DecisionRecord } from "./approval-store.ts";
import type { CancelledTask, OnParentEnd, TaskDelivery } from "./store.ts";
import type { LoopItem } from "./tasks/loop-items.ts";
import type { StepAttempt } from "./tasks/step-attempts.ts";
import type { ResponseOptions } from "./tasks/response-budget.ts";
import type { Idempotency, StepResult, Task, TaskStatus, Trigger } from "./tasks/task.ts";
import type { FinishedRun } from "./worker/live-runs.ts";

export type { FinishedRun };

/** A workflow version as the engine runs it. */
export interface RunnableWorkflow {
  id: string;
  ownerId: string;
  name: string;
  version: number;
  graph: Graph;
  responseStepId?: string | undefined;
  settings?: RunSettings | undefined;
}

export interface StartTask {
  workflow: RunnableWorkflow;
  trigger: Trigger;
  input: JsonValue;
  /** The input may be incomplete: it gets the defaults of the input schema, and no problem refuses it. */
  inputUnchecked?: boolean | undefined;
  /** Stored with the task if its workflow reads it: credentials are redacted before it gets here. */
  request?: TriggerRequest | (() => TriggerRequest) | undefined;
  idempotency?: Idempotency | undefined;
  /** Stored unless the task exists already. */
  delivery?: TaskDelivery | undefined;
  /** The conversation of a chat that the task answers. Sub-workflows and tools of agents belong to it, too. */
  conversation?: string | undefined;
  parentTaskId?: string | undefined;
  /** The step that starts this task. The task is made once per step and is cancelled with its parent. */
  parentStep?: string | undefined;
  /** The first task of the chain of calls; by default the parent. */
  rootTaskId?: string | undefined;
  /** With `continue` it is not cancelled with its parent. */
  onParentEnd?: OnParentEnd | undefined;
  /** Depth of nested calls, when a task of another workflow or an agent starts this one. */
  depth?: number | undefined;
  /** False when no caller waits for the end: a peer that runs the task then notifies no process of it. */
  isAwaited?: boolean | undefined;
  /** For a task that another one waits for: until when it waits for a slot. */
  waitLimit?: (() => Deadline) | undefined;
  /** Runs only these steps; outputs of the others are given here. */
  selection?: { stepIds: string[]; outputs: Record<string, JsonValue> } | undefined;
}

export interface Decision {
  decision: "approve" | "reject";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  /** The member who decides, where one is known. */
  userId?: string | undefined;
  /** How the decision arrived; "page" by default. */
  via?: DecisionVia | undefined;
  /** The approval to decide when the task waits for several; by default the oldest. */
  stepId?: string | undefined;
  /** With it the decision counts only for the approval that has this link, not for one opened later at the same path. */
  linkId?: string | undefined;
}

export interface Replay {
  fromStepId?: string | undefined;
  input?: JsonValue | undefined;
  /** The workflow version to run; by default the version of the task. */
  workflow?: RunnableWorkflow | undefined;
  /** Called before other input is used with results that are kept: an approval among them was given for the input of the task. */
  beforeOtherInput?: (() => void) | undefined;
}

/** Sent to subscribers: durable journal entries with their number; started steps and log lines, which are live only and have none. */
export type TaskEvent =
  | { seq: number; entry: EntryHead }
  | { seq: null; path: string; type: string; at: number; line?: LogLine };

export interface Started {
  taskId: string;
  status: TaskStatus;
  /** True when an earlier call with the same idempotency key created this task. */
  existing: boolean;
}

/** A task with its step results. */
export interface TaskWithSteps {
  task: Task;
  stepResults: StepResult[];
}

export interface SettledOptions extends Partial<ResponseOptions> {
  signal?: AbortSignal | undefined;
  /** The task was just queued: its row need not be read before it changes. */
  isQueued?: boolean;
  /** Waits also while the task waits for an approval. */
  throughApprovals?: boolean;
}

export interface AttemptPage {
  limit: number;
  cursor?: string | undefined;
}

/** The iterations of a foreach, and the list it iterates over. */
export interface LoopItems {
  items: LoopItem[];
  /** The items of these iterations; in a while those after the first are the outputs of the iteration before. */
  valuesOf(indexes: readonly number[]): Promise<JsonValue[]>;
}

export interface Engine {
  /** Begins to run due tasks. Called when the process is ready: a start that fails has then interrupted no run. */
  claimTasks(): void;
  /** Durable when it resolves. Throws `idempotency_conflict`. */
  start(request: StartTask): Promise<Started>;
  /** Resolves when the task has ended, waits for an approval (unless told otherwise), or `timeoutMs` have passed. */
  settled(taskId: string, timeoutMs: number, options?: SettledOptions): Promise<TaskWithSteps>;
  /** The same, but a run that ended in this process is returned as the view makes it, unless that returns undefined. */
  settledAs<View>(
    taskId: string,
    timeoutMs: number,
    view: (run: FinishedRun) => View | undefined,
    options?: SettledOptions,
  ): Promise<View | TaskWithSteps>;
  /** Checks no ownership: the caller has. */
  read(taskId: string, options?: ResponseOptions): Promise<TaskWithSteps | undefined>;

  /** Ends the task and the tasks its steps started; false when it had ended before. */
  cancel(taskId: string): Promise<boolean>;
  /** These tasks were cancelled by a write outside the engine: stops their runs and notifies subscribers. */
  cancelled(tasks: readonly CancelledTask[]): void;
  /** A write outside the engine may let this task continue: wakes it. */
  nudge(taskId: string, lane: string): void;
  /**
   * Throws `task_not_waiting` when no approval is open, `already_decided` for the second decision of a person, and `forbidden` for
   * one who is not among the approvers. Returns the resulting status: it still waits while more approvals are required.
   */
  decide(taskId: string, decision: Decision): Promise<"running" | "rejected" | "waiting_approval">;
  /** The record of decisions of a task, newest first, before the one with the given id. */
  decisions(taskId: string, limit: number, before?: string): Promise<DecisionRecord[]>;
  /** Until its step has ended. */
  approval(taskId: string, path: string): Promise<ApprovalState | undefined>;
  /** The link of an open approval, created on first use; undefined when none is open at this path. */
  linkApproval(
    taskId: string,
    path: string,
    /** A link for one approver, shown to its creator. Without it, the link that anyone may use. */
    approver?: { email: string; createdBy: string },
  ): Promise<{ linkId: string; expiresAt: number | null } | undefined>;
  /** False when no approval is open at this path, or it has no email that was tried. */
  resendApprovalEmails(taskId: string, path: string): Promise<boolean>;
  /** Continues the same task at the failed step. Throws `task_not_failed`. */
  rerunFromFailed(
    taskId: string,
    workflow?: RunnableWorkflow,
  ): Promise<{
    rerunFromStep: string;
    status: TaskStatus;
    keptSteps: string[];
    /** Completed steps that run again, because the given version changed them or a step before them. */
    changedSteps: string[];
  }>;
  /** Starts the next attempt of a step, or of every step, that waits for one. Throws `task_not_waiting`. */
  retryNow(taskId: string, path?: string): Promise<void>;
  /** Starts a new task, linked to this one, with the results before `fromStepId`. */
  replay(taskId: string, replay: Replay): Promise<Started>;
  /** The attempts of a step, newest first. */
  attempts(taskId: string, path: string, page: AttemptPage): Promise<ResultPage<StepAttempt>>;
  /** The iterations of a loop in the order of their items; undefined when it has not started. */
  loopItems(taskId: string, path: string): Promise<LoopItems | undefined>;
  /** The task of the sub-workflow that a step or an iteration has started. */
  childOf(taskId: string, path: string): Promise<string | undefined>;
  /** The number of the last journal entry. */
  lastSeq(taskId: string): Promise<number>;
  /** The JSON of an output or a result, as text or, when it is large, as a stream. */
  openOutput(taskId: string, path: string): Promise<string | Readable>;
  openResult(taskId: string): Promise<string | Readable>;
  /** Outputs recorded for these steps, or given to the task for them. */
  outputsOf(taskId: string, stepIds: readonly string[]): Promise<Record<string, JsonValue>>;

  /** Without payloads: a page of 200 outputs of 100 kB would block the event loop for 50 ms. */
  events(taskId: string, afterSeq: number, limit: number): Promise<EntryHead[]>;
  /** The log lines of the attempts that ended in the events after `afterSeq` up to `lastSeq`, by number of the event. */
  logs(taskId: string, afterSeq: number, lastSeq: number): Promise<ReadonlyMap<number, readonly LogLine[]>>;
  watch(taskId: string, listener: (event: TaskEvent) => void): () => void;
  /** Tasks of the owner that run in this process, and due ones of all processes that wait for a slot. */
  usage: { running(ownerId: string): number; queued(ownerId: string): Promise<number> };
  /** Running tasks of this process, and due and stuck tasks of the database. */
  stats(): Promise<{
    running: number;
    due: number;
    oldestDueSeconds: number;
    stuck: number;
    /** Slots of this process by lane. */
    slots: { lane: string; limit: number; used: number }[];
  }>;
  close(): Promise<void>;
}
