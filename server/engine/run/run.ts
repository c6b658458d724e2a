import type { Member } from "../../../contract/approvers.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { FileReference } from "../../../contract/file-reference.ts";
import type { Scope } from "../../../contract/placeholders/render.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { Deadline } from "../../lib/deadline.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Redactor } from "../../security/redact.ts";
import type { CompiledGraph, CompiledStep } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import type { Memory, StepMemory } from "../journal/fold.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { LargeOutputs, Outputs } from "../journal/outputs.ts";
import type { Budgets } from "./budgets.ts";
import type { LargeHold, LargeValues } from "./large-values.ts";
import type { Outcome } from "./outcome.ts";
import type { Pool } from "./pool.ts";
import type { Progress } from "../graph/progress.ts";
import type { Recorder } from "../journal/recorder.ts";
import type { RunningStep } from "./step-log.ts";
import type { StepOutput, StepRunner } from "./step-runner.ts";
import type { Stop } from "./stop.ts";
import type { EngineStore, OnParentEnd, TaskChange } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { RetryRequest } from "../tasks/engine-task.ts";
import type { RunTrace } from "../run-tracing.ts";
import type { StepError, Task } from "../tasks/task.ts";
import type { FinishedRun } from "../worker/live-runs.ts";

/** The owner's variables and secrets by name; a name that does not exist is left out. */
export interface Vault {
  variables(ownerId: string, names: readonly string[]): Promise<Record<string, JsonValue>>;
  secrets(ownerId: string, names: readonly string[]): Promise<Record<string, string>>;
}

/** The values of JavaScript expressions, in the sandbox. Values without a name in the sources are left out. */
export type EvaluateExpressions = (call: {
  ownerId: string;
  sources: readonly string[];
  values: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}) => Promise<JsonValue[]>;

/** Known without a query. */
export interface ErrorOwners {
  has(ownerId: string): boolean;
}

/**
 * Whether a workflow runs when this task fails. Not for a task of another one, whose failure is that of its step, nor for
 * a test of single steps, nor for the run of an error workflow: it would start itself forever.
 */
export function reportsFailure(
  { parentStep, trigger, options, ownerId }: EngineTask,
  owners: ErrorOwners,
): boolean {
  if (parentStep !== null || trigger === "error" || trigger === "partial") return false;
  return options?.hasErrorWorkflow === true || owners.has(ownerId);
}

export interface ChildOptions {
  onParentEnd: OnParentEnd;
  /** Until when the step waits for a slot. Created only when none is free. */
  waitLimit(): Deadline;
}

/** The rows of a file as the items of a loop. The list holds where each item is; its rows are read when it runs. */
export interface FileItems {
  /** One entry for every `rowsPerItem` rows of a CSV or JSON lines file. */
  split(
    ownerId: string,
    file: FileReference,
    options: { rowsPerItem: number; maxItems: number; signal: AbortSignal },
  ): Promise<JsonValue[]>;
  /** The rows of an entry. The more iterations run at once, the smaller it must be. */
  read(
    ownerId: string,
    entry: JsonValue,
    options: {
      concurrency: number;
      /** Resolves in a turn of the event loop in which no other large value is parsed. */
      turn(): Promise<void>;
      signal: AbortSignal;
    },
  ): Promise<JsonValue[]>;
}

/** What a run needs from the engine around it. */
export interface RunDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  controls?: Readonly<Record<string, ControlStep>>;
  vault: Vault;
  evaluate: EvaluateExpressions;
  budgets: Budgets;
  largeValues: LargeValues;
  /** The address of the page where a link decides an approval. */
  approvalUrl(linkId: string): string;
  /** The members of a workspace. */
  listMembers(ownerId: string): Promise<Member[]>;
  /** The address that continues a waiting step. */
  resumeUrl(taskId: string, path: string): string;
  fileItems?: FileItems | undefined;
  /** Large outputs of all runs of this process. */
  largeOutputs: LargeOutputs;
  /** Starts the sub-workflow of a step. Called again, it returns the same task. */
  startChild(
    run: Run,
    path: string,
    workflowId: string,
    input: JsonValue,
    options: ChildOptions,
  ): Promise<string>;
  /** Resolves when the task has left this process: it has ended or parked. */
  left(taskId: string): Promise<unknown>;
  /** Frees the slot of a task that waits for another one in memory. The returned function waits for a slot. */
  lendSlot(task: EngineTask): () => Promise<void>;
  /** Continues a task that has failed or was cancelled; does nothing to one that is running. */
  resume(taskId: string): Promise<void>;
  cancel(taskId: string): Promise<void>;
  /** Cancels the tasks that this one started, because it is about to fail. */
  cancelDescendants(task: EngineTask): Promise<void>;
  state(taskId: string): Promise<Omit<Task, "input">>;
  /** Owners whose account has an error workflow for all their runs. */
  errorOwners: ErrorOwners;
  /** Called when entries are durable. */
  recorded(
    task: EngineTask,
    entries: readonly JournalEntry[],
    change: TaskChange | undefined,
    /** The whole run, when it has ended and a process that accepted its task may wait for it. */
    finished: FinishedRun | undefined,
  ): void;
  /** Called when a step starts; not durable, for live subscribers only. */
  began(task: EngineTask, path: string, type: string): void;
  /** Called when a running step has written a log line; not durable either. */
  logged(task: EngineTask, path: string, type: string, line: LogLine): void;
  /** True while this process holds the lease, by a monotonic clock. Without it no step starts; results are recorded all the same. */
  holdsLease(): boolean;
}

/** The fields of a step with their placeholders rendered. */
export interface Prepared {
  fields: Record<string, JsonValue>;
  /** Size of what the placeholders have inserted. */
  size: number;
  scope: Omit<Scope, "secrets">;
}

/** A loop that has begun and not ended. */
export interface LoopProgress {
  /** The recorded list; of a while only its initial item. */
  items: readonly JsonValue[];
  /** Iterations that have begun and not completed. */
  open: Set<number>;
  /** The first iteration that has not begun. */
  next: number;
  /** The items that failed, when the loop continues without them. */
  errors?: Map<number, StepError>;
  /** The output of the last completed iteration of a while. */
  last?: JsonValue;
  /** The fields of the loop, as rendered when it began. */
  prepared?: Prepared;
}

/** What the journal of a task says up to an entry. */
export interface RunState {
  readonly memory: Memory;
  /** By path. */
  readonly loops: Map<string, LoopProgress>;
  /** Size of the inputs and outputs recorded so far. */
  recordedBytes: number;
}

/** The state of a run when it parked. */
export interface ParkedState extends RunState {
  readonly lastSeq: number;
}

/** One task while this process runs it. */
export interface Run extends Recorder, RunState {
  readonly task: EngineTask;
  readonly workflow: RunnableWorkflow;
  readonly graph: CompiledGraph;
  readonly deps: RunDeps;
  readonly outputs: Outputs;
  readonly redactor: Redactor | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly stop: Stop;
  /** When the whole task must have ended; null for never. */
  readonly deadline: number | null;
  readonly pools: Set<Pool<never>>;
  /** Undefined while tracing is off. */
  readonly trace: RunTrace | undefined;
  /** The steps in execution, by path. */
  readonly running: Map<string, RunningStep>;
  /** A branch was interrupted: no step starts any more, those in flight end and are recorded, then the run ends. */
  isDraining: boolean;
  /** All entries of the task, while they are few; undefined when it started before this run. */
  entries: JournalEntry[] | undefined;
  /** The last change of the task's row. */
  closing: TaskChange | undefined;
  memoryOf(path: string): StepMemory;
  /** Lets the steps that the request names start their next attempt now. */
  requestRetry(request: RetryRequest): void;
  isRetryRequested(path: string): boolean;
}

/** A graph in progress: that of the workflow, or one iteration of a foreach. */
export interface RunScope {
  /** Empty for the workflow, `each[3]/` for an iteration. */
  prefix: string;
  /** That of the run; in an iteration also aborted when its foreach times out. */
  stop: Stop;
  graph: CompiledGraph;
  progress: Progress;
  parent: RunScope | undefined;
  item: JsonValue | undefined;
  index: number | undefined;
  /** How many readers of each output have not ended. */
  openReaders: Map<string, number>;
}

export interface ControlCall {
  run: Run;
  scope: RunScope;
  step: CompiledStep;
  path: string;
  memory: StepMemory;
  fields: Record<string, JsonValue>;
  /** Taken while the output of the step is built. Never while the step waits for other steps, which may need a slot. */
  hold: LargeHold;
  /** When the step started; all its entries carry this time. */
  startedAt: number;
  /** Runs a graph inside this step. */
  runIteration: RunIteration;
  /** Runs the runner of a step type with these fields. Nothing of it is recorded. */
  runEffect(type: string, fields: Record<string, JsonValue>, idempotencyKey: string): Promise<StepOutput>;
}

export type RunIteration = (iteration: RunScope) => Promise<ScopeEnd>;

/** How the run of a graph ended. */
export type ScopeEnd =
  | { kind: "done" }
  | { kind: "failed"; error: StepError; path: string }
  | { kind: "waiting"; due: number | null; forApproval: boolean };

/** A step that steers the run instead of causing an effect: it may wait, and is called again later. */
export type ControlStep = (call: ControlCall) => Promise<Outcome>;
