import type { FinalStatus, StepError } from "../tasks/task.ts";

/**
 * The journal is append-only: what happened, in order, numbered 1, 2, 3 … within a task. The state of a run is the sum
 * of its entries (`fold.ts`), and the event stream of a task is the entries themselves.
 */
export type JournalEntry = StepJournalEntry | RerunEntry | StatusEntry;

/** The kinds that describe one step. */
export type StepJournalEntry = StepEntry | AttemptEntry | WaitEntry | ItemsEntry;

/** `seq` of an entry that is not recorded yet. The recorder numbers it in place: a copy was 5 % of a run's time. */
export const UNNUMBERED = 0;

interface AnyEntry {
  seq: number;
  at: number;
}

interface AnyStepEntry extends AnyEntry {
  /** Inside a foreach with its iterations: `each[3]/fetch`. */
  path: string;
  type: string;
  startedAt: number | null;
  /** The bytes of input and output that a read for a response has left out. */
  omitted?: { input: number; output: number };
}

/** JSON as stored. A large value is in the blob store under `outputRef` and `output` is null. */
interface StoredValue {
  output: string | null;
  outputRef: string | null;
}

/** A step has ended: completed, failed for good, or skipped. */
export interface StepEntry extends AnyStepEntry, StoredValue {
  kind: "step";
  status: "completed" | "failed" | "skipped";
  attempt: number;
  /** No step followed it, so its output is part of the result. */
  final: boolean;
  input: string | null;
  error: StepError | null;
  /** Fields that the runner returned in addition to the output: `response`, `usage` … */
  extra: Record<string, unknown> | null;
}

/** An attempt failed and the next one is due at `due`. */
export interface AttemptEntry extends AnyStepEntry {
  kind: "attempt";
  status: "waiting";
  attempt: number;
  input: string | null;
  error: StepError;
  extra: Record<string, unknown> | null;
  due: number;
}

/** A step waits for a time, a person or a sub-workflow: until `due`, or, without one, until it is woken. */
export interface WaitEntry extends AnyStepEntry {
  kind: "wait";
  status: "waiting" | "waiting_approval";
  input: string | null;
  due: number | null;
}

/** A foreach has fixed the list it iterates over, which is its stored value. */
export interface ItemsEntry extends AnyStepEntry, StoredValue {
  kind: "items";
  status: "running";
}

/** Results recorded under the paths in `cleared` no longer count. */
export interface RerunEntry extends AnyEntry {
  kind: "rerun";
  /** `queued`: the whole task runs again. `waiting`: a foreach clears its failed iterations for the next attempt. */
  status: "queued" | "waiting";
  cleared: string[];
  /** Loops and sub-workflows that start again without their iterations and tasks, because another version changed them. */
  restarted?: string[];
}

/** The whole task has ended. */
export interface StatusEntry extends AnyEntry {
  kind: "status";
  status: FinalStatus;
  error: (StepError & { stepId?: string }) | null;
}

/**
 * An entry without its payloads: enough to restore a run. Of the outputs only those of branching steps are loaded;
 * `bytes` is the size of input and output in the row.
 */
export type EntryHead =
  | (Omit<StepEntry, "input" | "extra"> & { bytes?: number })
  | Omit<AttemptEntry, "input" | "extra">
  | Omit<WaitEntry, "input">
  | Omit<ItemsEntry, keyof StoredValue>
  | RerunEntry
  | StatusEntry;
