import type { StepError, StepStatus, TaskStatus } from "../tasks/task.ts";

/**
 * The journal is append-only: what happened, in order, numbered 1, 2, 3 … within a task. The state of a run is
 * what these entries add up to (`fold.ts`), and the event stream of a task is the entries themselves.
 *
 * `step`    a step has ended: completed, failed for good, or skipped
 * `attempt` a try failed and another is due at `due`
 * `wait`    a step waits: for a time, a person, a sub-workflow
 * `items`   a foreach has fixed the list it goes through
 * `rerun`   what was recorded under the paths in `output` counts no longer
 * `status`  the whole task has ended
 */
export type EntryKind = "step" | "attempt" | "wait" | "items" | "rerun" | "status";

export interface JournalEntry {
  seq: number;
  kind: EntryKind;
  /** The step, inside a foreach with its rounds: `each[3]/fetch`. Empty for the task itself. */
  path: string;
  type: string;
  status: StepStatus | TaskStatus;
  attempt: number;
  /** Of `step`: nothing followed it, so its output is part of the result. */
  final: boolean;
  /** JSON texts, as stored. A large output stands elsewhere under `outputRef`. */
  input: string | null;
  output: string | null;
  outputRef: string | null;
  error: StepError | null;
  extra: Record<string, unknown> | null;
  due: number | null;
  startedAt: number | null;
  at: number;
}

/** An entry without its payloads: all that is needed to know where a run stands. */
export type EntryHead = Omit<JournalEntry, "input" | "output" | "extra"> & {
  /** Only of entries whose output steers the run: conditions, switches, and the paths that a rerun cleared. */
  output: string | null;
};

export type NewEntry = Pick<JournalEntry, "kind" | "status" | "at"> & Partial<Omit<JournalEntry, "seq">>;

/** Field by field: as a spread over defaults it was 5 % of a run's time. */
export function numbered(seq: number, entry: NewEntry): JournalEntry {
  return {
    seq,
    kind: entry.kind,
    path: entry.path ?? "",
    type: entry.type ?? "",
    status: entry.status,
    attempt: entry.attempt ?? 0,
    final: entry.final ?? false,
    input: entry.input ?? null,
    output: entry.output ?? null,
    outputRef: entry.outputRef ?? null,
    error: entry.error ?? null,
    extra: entry.extra ?? null,
    due: entry.due ?? null,
    startedAt: entry.startedAt ?? null,
    at: entry.at,
  };
}
