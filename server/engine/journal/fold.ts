import type { ErrorCode } from "../../../contract/errors.ts";
import { iterationOf } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { StepError } from "../tasks/task.ts";
import type { AttemptEntry, EntryHead, StepEntry } from "./journal-entry.ts";

interface Ended {
  status: StepEntry["status"];
  output: string | null;
  error: StepError | null;
  final: boolean;
}

/** The state of one path, summed up from its entries. */
export interface StepMemory {
  ended: Ended | undefined;
  /** Failed attempts since the path was last cleared. */
  attempts: number;
  /** Set while the step waits: until `due`, or, when that is null, until it is woken. */
  waiting: { due: number | null; kind: "attempt" | "wait" } | undefined;
  /** When it first began to wait. */
  startedAt: number | null;
  /** True once a foreach has recorded its list. */
  itemsFixed: boolean;
  /** Answers of the remote side to this path that do not count: failures, and results that a rerun has cleared. */
  answeredFailures: number;
  /** Attempts that ended with a refused connection: they use up no retry. `since` is the first of those in a row. */
  connectionProblem?: { attempts: number; since: number | undefined };
  /** A child task that ended before this time belongs to an earlier attempt. */
  since: number;
}

export type Memory = Map<string, StepMemory>;

/** Errors of attempts to which a response arrived, so that the outcome is known. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["http_error"]);

const CONNECTION_REFUSED: ErrorCode = "connection_authorization_required";

/** The path under which memory keeps the last rerun of the whole task. */
export const WHOLE_TASK = "";

export function blankMemory(since = 0): StepMemory {
  return {
    ended: undefined,
    attempts: 0,
    waiting: undefined,
    startedAt: null,
    itemsFixed: false,
    answeredFailures: 0,
    since,
  };
}

/** Restores the state of every path from the journal, or from a state and the entries recorded since. */
export function fold(entries: readonly EntryHead[], memory: Memory = new Map()): Memory {
  for (const entry of entries) apply(memory, entry);
  return memory;
}

export function apply(memory: Memory, entry: EntryHead): void {
  if (entry.kind === "rerun") {
    for (const path of entry.cleared) clear(memory, path, entry.at);
    for (const path of entry.restarted ?? []) restart(memory, path, entry.at);
    if (entry.status === "queued") memory.set(WHOLE_TASK, blankMemory(entry.at));
    return;
  }
  if (entry.kind === "status") return;
  const step = memory.get(entry.path) ?? blankMemory();
  memory.set(entry.path, step);
  if ("error" in entry && entry.error !== null && ANSWERED.has(entry.error.code)) step.answeredFailures += 1;
  switch (entry.kind) {
    case "step":
      step.ended = {
        status: entry.status,
        // Only a branching step's output is kept with the step: it determines which edge was taken.
        output: traitsOf(entry.type).branching === undefined ? null : entry.output,
        error: entry.error,
        final: entry.final,
      };
      step.waiting = undefined;
      return;
    case "attempt":
      step.attempts = entry.attempt;
      countConnectionProblem(step, entry);
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

/** A problem that ended and came back is a new one. */
function countConnectionProblem(step: StepMemory, { error, at }: Pick<AttemptEntry, "error" | "at">): void {
  const { attempts = 0, since } = step.connectionProblem ?? {};
  if (error?.code === CONNECTION_REFUSED)
    step.connectionProblem = { attempts: attempts + 1, since: since ?? at };
  else if (since !== undefined) step.connectionProblem = { attempts, since: undefined };
}

function restart(memory: Memory, loopPath: string, at: number): void {
  for (const [path, { answeredFailures }] of memory) {
    if (iterationOf(path, loopPath) === undefined) continue;
    if (answeredFailures === 0) memory.delete(path);
    else memory.set(path, { ...blankMemory(at), answeredFailures });
  }
  memory.set(loopPath, blankMemory(at));
}

/** The recorded list of a foreach stays: a rerun iterates over the same items. */
function clear(memory: Memory, path: string, at: number): void {
  const before = memory.get(path);
  const { itemsFixed = false, answeredFailures = 0 } = before ?? {};
  // A completed request that another version changed is sent under a new key, or its receiver would repeat the answer.
  const isAnswered = before?.ended?.status === "completed";
  memory.set(path, {
    ...blankMemory(at),
    itemsFixed,
    answeredFailures: isAnswered ? answeredFailures + 1 : answeredFailures,
  });
}
