import { ROOT_PREFIX } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Redactor } from "../../security/redact.ts";
import type { OptimisticStart } from "../worker/optimistic-start.ts";
import type { CompiledGraph, CompiledStep } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import { apply, blankMemory, type Memory, type StepMemory } from "../journal/fold.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { Outputs } from "../journal/outputs.ts";
import type { Outcome } from "./outcome.ts";
import type { Pool } from "./pool.ts";
import { createProgress, type Progress } from "../graph/progress.ts";
import { createRecorder, type Recorder } from "../journal/recorder.ts";
import type { ScopeEnd } from "./scope-end.ts";
import type { StepRunner } from "./step-runner.ts";
import type { Stop } from "./stop.ts";
import type { EngineStore, EngineTask, TaskChange } from "../store.ts";
import type { Task } from "../tasks/task.ts";
import type { Vault } from "./vault.ts";

/** What a run needs of the world around it. */
export interface RunDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  controls?: Readonly<Record<string, ControlStep>>;
  vault: Vault;
  /** Starts the sub-workflow of a step, once, however often it is asked. */
  startChild(run: Run, path: string, workflowId: string, input: JsonValue): Promise<string>;
  /** Resolves when the task has left this process: ended or parked. */
  left(taskId: string): Promise<unknown>;
  /** Goes on with a task that has failed or was cancelled; nothing happens to one that is under way. */
  resume(taskId: string): Promise<void>;
  cancel(taskId: string): Promise<void>;
  task(taskId: string): Promise<Task>;
  /** Entries that are now durable. */
  recorded(task: EngineTask, entries: readonly JournalEntry[], change: TaskChange | undefined): void;
  /** Not durable, for those who watch: a step has begun. */
  began(task: EngineTask, path: string, type: string): void;
  /** The lease is still ours, by a clock that cannot jump. */
  holdsLease(): boolean;
}

/** One task while this process works on it. */
export interface Run extends Recorder {
  readonly task: EngineTask;
  readonly workflow: RunnableWorkflow;
  readonly graph: CompiledGraph;
  readonly deps: RunDeps;
  readonly memory: Memory;
  readonly outputs: Outputs;
  readonly redactor: Redactor | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly stop: Stop;
  readonly pools: Set<Pool<never>>;
  /** Steps that are being executed at this moment. */
  readonly running: Map<string, { type: string; startedAt: number }>;
  /** What this run has recorded, as long as that is little; undefined when it began before this process. */
  entries: JournalEntry[] | undefined;
  /** How the task ended, once it has. */
  closing: TaskChange | undefined;
  memoryOf(path: string): StepMemory;
}

/** A graph under way: the workflow's own, or one round of a foreach. */
export interface RunScope {
  /** "" for the workflow, `each[3]/` for a round. */
  prefix: string;
  /** That of the run; of a round also when its foreach takes too long. */
  stop: Stop;
  graph: CompiledGraph;
  progress: Progress;
  parent: RunScope | undefined;
  item: JsonValue | undefined;
  index: number | undefined;
  /** How many readers of each output have not ended. */
  unread: Map<string, number>;
}

export interface ControlCall {
  run: Run;
  scope: RunScope;
  step: CompiledStep;
  path: string;
  memory: StepMemory;
  fields: Record<string, JsonValue>;
  /** When the step started; all its entries carry this time. */
  startedAt: number;
  /** Runs a graph inside this step. */
  runIteration: RunIteration;
}

export type RunIteration = (round: RunScope) => Promise<ScopeEnd>;

/** A step that steers the run instead of causing an effect: it may wait, and is called again later. */
export type ControlStep = (call: ControlCall) => Promise<Outcome>;

export function createScope(
  graph: CompiledGraph,
  stop: Stop,
  round?: { prefix: string; parent: RunScope; item: JsonValue; index: number },
): RunScope {
  return {
    prefix: round?.prefix ?? ROOT_PREFIX,
    stop,
    graph,
    progress: createProgress(graph),
    parent: round?.parent,
    item: round?.item,
    index: round?.index,
    unread: new Map([...graph.readers].map(([id, readers]) => [id, readers.length])),
  };
}

export interface RunInit extends Omit<
  Run,
  keyof Recorder | "memoryOf" | "pools" | "running" | "entries" | "closing"
> {
  lastSeq: number;
  optimisticStart: OptimisticStart | undefined;
}

export function createRun({ lastSeq, optimisticStart, ...init }: RunInit): Run {
  const { task, workflow, graph, memory, deps, outputs, redactor, secrets, stop } = init;
  const { record, note, flush, idle } = createRecorder({
    lastSeq,
    stop,
    mayRecord: deps.holdsLease,
    write: optimisticStart?.write ?? ((write) => deps.store.record({ task, ...write })),
    isStored: optimisticStart?.stored,
    remember: (entry) => apply(memory, entry),
    recorded(entries, change) {
      run.closing = change;
      run.entries?.push(...entries);
      if (run.entries !== undefined && run.entries.length > MAX_KEPT_ENTRIES) run.entries = undefined;
      deps.recorded(task, entries, change);
    },
  });
  // Field by field: two spreads were 2 % of a call.
  const run: Run = {
    task,
    workflow,
    graph,
    deps,
    memory,
    outputs,
    redactor,
    secrets,
    stop,
    record,
    note,
    flush,
    idle,
    entries: lastSeq === 0 ? [] : undefined,
    closing: undefined,
    pools: new Set(),
    running: new Map(),
    memoryOf(path) {
      let step = memory.get(path);
      if (step === undefined) {
        step = blankMemory();
        memory.set(path, step);
      }
      return step;
    },
  };
  return run;
}

const MAX_KEPT_ENTRIES = 100;
