import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import type { Redactor } from "../security/redact.ts";
import type { CompiledGraph } from "./compiled-graph.ts";
import type { RunnableWorkflow } from "./engine-api.ts";
import { apply, blankMemory, type Memory, type StepMemory } from "./fold.ts";
import { type JournalEntry, type NewEntry, numbered } from "./journal-entry.ts";
import type { Outputs } from "./outputs.ts";
import { patiently } from "./patience.ts";
import type { Pool } from "./pool.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { StepRunner } from "./step-runner.ts";
import type { EngineStore, EngineTask, RunWrite, TaskChange } from "./store.ts";
import type { Task } from "./task.ts";
import type { Vault } from "./vault.ts";

/** What a run needs of the world around it. */
export interface RunDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  vault: Vault;
  /** Starts the sub-workflow of a step, once, however often it is asked. */
  startChild(run: Run, path: string, workflowId: string, input: JsonValue): Promise<string>;
  /** Resolves when the task has left this process: ended or parked. */
  left(taskId: string): Promise<unknown>;
  rerun(taskId: string): Promise<void>;
  task(taskId: string): Promise<Task>;
  /** Entries that are now durable. */
  recorded(task: EngineTask, entries: readonly JournalEntry[]): void;
  /** Not durable, for those who watch: a step has begun. */
  began(task: EngineTask, path: string, type: string): void;
  /** The lease is still ours, by a clock that cannot jump. */
  holdsLease(): boolean;
}

/** One task while this process works on it. */
export interface Run {
  readonly task: EngineTask;
  readonly workflow: RunnableWorkflow;
  readonly graph: CompiledGraph;
  readonly deps: RunDeps;
  readonly memory: Memory;
  readonly outputs: Outputs;
  readonly redactor: Redactor | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly pools: Set<Pool<never>>;
  /** Steps that are being executed at this moment. */
  readonly running: Map<string, { type: string; startedAt: number }>;
  /** What this run has recorded, as long as that is little; undefined when it began before this process. */
  entries: JournalEntry[] | undefined;
  /** How the task ended, once it has. */
  closing: TaskChange | undefined;
  memoryOf(path: string): StepMemory;
  /** Resolves when no record is under way. */
  idle(): Promise<void>;
  /** Numbers the entries, makes them durable, takes them into memory. Throws Dropped when the task is no longer ours. */
  record(entries: NewEntry[], more?: Omit<RunWrite, "task" | "entries">): Promise<void>;
}

/** A graph under way: the workflow's own, or one round of a foreach. */
export interface RunScope {
  /** "" for the workflow, `each[3]/` for a round. */
  prefix: string;
  graph: CompiledGraph;
  progress: Progress;
  parent: RunScope | undefined;
  item: JsonValue | undefined;
  index: number | undefined;
  /** How many readers of each output have not ended. */
  unread: Map<string, number>;
}

export function createScope(
  graph: CompiledGraph,
  round?: { prefix: string; parent: RunScope; item: JsonValue; index: number },
): RunScope {
  return {
    prefix: round?.prefix ?? "",
    graph,
    progress: createProgress(graph),
    parent: round?.parent,
    item: round?.item,
    index: round?.index,
    unread: new Map([...graph.readers].map(([id, readers]) => [id, readers.length])),
  };
}

/** The task was taken from this run: cancelled, claimed by another process, or the process is stopping. */
export class Dropped extends Error {}

export interface RunInit extends Omit<
  Run,
  "memoryOf" | "idle" | "record" | "pools" | "running" | "entries" | "closing"
> {
  lastSeq: number;
}

export function createRun({ lastSeq, ...init }: RunInit): Run {
  const { task, memory, deps, signal } = init;
  const underWay = new Set<Promise<void>>();
  let seq = lastSeq;
  const run: Run = {
    ...init,
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
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    record(newEntries, more = {}) {
      const recording = recordNow(newEntries, more).finally(() => underWay.delete(recording));
      underWay.add(recording);
      return recording;
    },
  };

  async function recordNow(newEntries: NewEntry[], more: Omit<RunWrite, "task" | "entries">): Promise<void> {
    if (signal.aborted || !deps.holdsLease()) throw new Dropped();
    const entries = newEntries.map((entry) => numbered(++seq, entry));
    if (!(await recordPatiently(deps, signal, { task, entries, ...more }))) throw new Dropped();
    for (const entry of entries) apply(memory, entry);
    run.closing = more.change;
    run.entries?.push(...entries);
    if (run.entries !== undefined && run.entries.length > MAX_KEPT_ENTRIES) run.entries = undefined;
    deps.recorded(task, entries);
  }
  return run;
}

const MAX_KEPT_ENTRIES = 100;

async function recordPatiently({ store }: RunDeps, signal: AbortSignal, write: RunWrite): Promise<boolean> {
  try {
    return await patiently(() => store.record(write), signal);
  } catch (error) {
    throw signal.aborted ? new Dropped() : error;
  }
}
