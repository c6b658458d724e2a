import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { StepError } from "../tasks/task.ts";
import type { EntryHead, StepEntry } from "./journal-entry.ts";

interface Ended {
  status: StepEntry["status"];
  output: string | null;
  error: StepError | null;
  final: boolean;
}

/** What the journal knows of one path. */
export interface StepMemory {
  ended: Ended | undefined;
  /** Tries that failed since the step was last cleared. */
  attempts: number;
  /** It waits: until `due`, or, without one, for somebody. */
  waiting: { due: number | null; kind: "attempt" | "wait" } | undefined;
  /** When it began to wait for the first time. */
  startedAt: number | null;
  /** A foreach has fixed its list. */
  itemsFixed: boolean;
  /** What ended before this moment belongs to a try that no longer counts. */
  since: number;
}

export type Memory = Map<string, StepMemory>;

/** The path under which a rerun of the task itself is remembered. */
export const WHOLE_TASK = "";

export function blankMemory(since = 0): StepMemory {
  return { ended: undefined, attempts: 0, waiting: undefined, startedAt: null, itemsFixed: false, since };
}

/** Adds up the journal: where every step of a run stands. */
export function fold(entries: readonly EntryHead[]): Memory {
  const memory: Memory = new Map();
  for (const entry of entries) apply(memory, entry);
  return memory;
}

/** Takes one more entry into account. */
export function apply(memory: Memory, entry: EntryHead): void {
  if (entry.kind === "rerun") {
    for (const path of entry.cleared) clear(memory, path, entry.at);
    if (entry.status === "queued") memory.set(WHOLE_TASK, blankMemory(entry.at));
    return;
  }
  if (entry.kind === "status") return;
  const step = memory.get(entry.path) ?? blankMemory();
  memory.set(entry.path, step);
  switch (entry.kind) {
    case "step":
      step.ended = {
        status: entry.status,
        // Only a branching step's output is kept with the step: it tells which edge was taken.
        output: traitsOf(entry.type).branching === undefined ? null : entry.output,
        error: entry.error,
        final: entry.final,
      };
      step.waiting = undefined;
      return;
    case "attempt":
      step.attempts = entry.attempt;
      step.since = entry.at;
      step.waiting = { due: entry.due, kind: "attempt" };
      return;
    case "wait":
      step.waiting = { due: entry.due, kind: "wait" };
      step.startedAt ??= entry.startedAt;
      return;
    case "items":
      step.itemsFixed = true;
      step.startedAt ??= entry.startedAt;
  }
}

/** The list that a foreach had fixed stays: a rerun goes through the same items. */
function clear(memory: Memory, path: string, at: number): void {
  const before = memory.get(path);
  memory.set(path, { ...blankMemory(at), itemsFixed: before?.itemsFixed ?? false });
}
