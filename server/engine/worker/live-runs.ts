import { ChurnMap } from "../../lib/churn-map.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { RunningStep } from "../run/step-log.ts";
import { LazyAbortController } from "../../lib/abort-source.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { RetryRequest } from "../tasks/engine-task.ts";
import type { Task } from "../tasks/task.ts";
import { createSlotCounts } from "./slot-counts.ts";

type RunningSteps = ReadonlyMap<string, RunningStep>;

/** A task that this process runs right now. */
export interface LiveRun {
  epoch: number;
  /** The task whose step started it. */
  parentTaskId: string | null;
  /** True when its row exists: a run may start before the row is written. */
  stored: Promise<boolean>;
  /** False while the insert of its row is in flight. */
  isPersisted: boolean;
  /** Counts against the slots of its lane. */
  holdsSlot: boolean;
  /** Steps that wait in memory for another task, or for the slot afterwards. Meanwhile the slot is free. */
  waits: number;
  abort: LazyAbortController;
  /** Checks again every step of this run that waits. */
  wake(): void;
  requestRetry(request: RetryRequest): void;
  running(): RunningSteps;
  /** Resolves when the run has ended, parked or was dropped; with its result when it started and ended in this process. */
  left: Promise<FinishedRun | undefined>;
  leave(finished: FinishedRun | undefined): void;
}

/** A run that started and ended in this process: its waiters need not read the journal. */
export interface FinishedRun {
  task: Omit<Task, "result">;
  /** As it is stored. */
  resultJson: string | null;
  entries: readonly JournalEntry[];
}

const NOTHING: RunningSteps = new Map();
const IS_STORED = Promise.resolve(true);

export type LiveRuns = ReturnType<typeof createLiveRuns>;

/** The runs of this process by task id. */
export function createLiveRuns() {
  const runs = new ChurnMap<string, LiveRun>();
  const slots = createSlotCounts();

  return {
    count: slots.inLane,
    countOf: slots.ofOwner,
    childrenOf(taskId: string): number {
      let count = 0;
      for (const run of runs.values()) if (run.parentTaskId === taskId) count += 1;
      return count;
    },
    ids: (): string[] => [...runs.keys()],
    enter(
      {
        id: taskId,
        lane,
        ownerId,
        epoch,
        parentTaskId = null,
      }: Pick<EngineTask, "id" | "lane" | "ownerId" | "epoch"> & Partial<Pick<EngineTask, "parentTaskId">>,
      stored: Promise<boolean> = IS_STORED,
      holdsSlot = true,
    ): LiveRun {
      let resolveLeft: (finished: FinishedRun | undefined) => void = () => undefined;
      const run: LiveRun = {
        epoch,
        parentTaskId,
        stored,
        isPersisted: stored === IS_STORED,
        holdsSlot,
        waits: 0,
        abort: new LazyAbortController(),
        wake: () => undefined,
        requestRetry: () => undefined,
        running: () => NOTHING,
        left: new Promise((resolve) => {
          resolveLeft = resolve;
        }),
        leave(finished) {
          // A cancelled run may still be unwinding when its task was resumed and entered again.
          if (runs.get(taskId) === run) {
            runs.delete(taskId);
            if (run.holdsSlot && run.waits === 0) slots.add(lane, ownerId, -1);
          }
          resolveLeft(finished);
        },
      };
      if (!run.isPersisted) void stored.then(() => (run.isPersisted = true));
      const before = runs.get(taskId);
      if (before?.holdsSlot === true && before.waits === 0) slots.add(lane, ownerId, -1);
      if (holdsSlot) slots.add(lane, ownerId, 1);
      runs.set(taskId, run);
      return run;
    },
    get: (taskId: string): LiveRun | undefined => runs.get(taskId),
    /**
     * A step of the task waits in memory for another task: the slot is free until the returned function is called. That
     * resolves when the run has a slot again: taken back at once, the slots that an owner lends would become slots that
     * others lack. `reserve` returns undefined when a slot is free.
     */
    lendSlot(
      { id, lane, ownerId }: Pick<EngineTask, "id" | "lane" | "ownerId">,
      reserve: (signal: AbortSignal) => Promise<() => void> | undefined,
    ): () => Promise<void> {
      const run = runs.get(id);
      if (run?.holdsSlot !== true) return () => Promise.resolve();
      run.waits += 1;
      if (run.waits === 1) slots.add(lane, ownerId, -1);
      return async () => {
        const isLast = run.waits === 1 && runs.get(id) === run;
        const reserved = isLast && !run.abort.aborted ? reserve(run.abort.signal) : undefined;
        // A run that is stopped needs no slot to end.
        const release = reserved === undefined ? undefined : await reserved.catch(() => undefined);
        run.waits -= 1;
        if (run.waits === 0 && runs.get(id) === run) slots.add(lane, ownerId, 1);
        release?.();
      };
    },
    running: (taskId: string): RunningSteps => runs.get(taskId)?.running() ?? NOTHING,
    left: (taskId: string): Promise<FinishedRun | undefined> =>
      runs.get(taskId)?.left ?? Promise.resolve(undefined),
    abort(taskIds: Iterable<string> = runs.keys()): void {
      for (const id of taskIds) runs.get(id)?.abort.abort();
    },
    allLeft: () => Promise.all([...runs.values()].map(({ left }) => left)),
  };
}
