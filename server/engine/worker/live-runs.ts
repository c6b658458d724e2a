import type { JournalEntry } from "../journal/journal-entry.ts";
import { Stopper } from "../run/stop.ts";
import type { EngineTask } from "../store.ts";
import type { Task } from "../tasks/task.ts";

type RunningSteps = ReadonlyMap<string, { type: string; startedAt: number }>;

/** A task that this process runs right now. */
export interface LiveRun {
  epoch: number;
  /** True when its row exists: a run may start before the row is written. */
  stored: Promise<boolean>;
  /** False while the insert of its row is in flight. */
  isPersisted: boolean;
  /** Counts against the slots of its lane. */
  holdsSlot: boolean;
  abort: Stopper;
  /** Checks again every step of this run that waits. */
  wake(): void;
  running(): RunningSteps;
  /** Resolves when the run has ended, parked or was dropped; with its result when it started and ended in this process. */
  left: Promise<FinishedRun | undefined>;
  leave(finished: FinishedRun | undefined): void;
}

/** A run that started and ended in this process: its waiters need not read the journal. */
export interface FinishedRun {
  task: Task;
  entries: readonly JournalEntry[];
}

const NOTHING: RunningSteps = new Map();
const IS_STORED = Promise.resolve(true);

export type LiveRuns = ReturnType<typeof createLiveRuns>;

/** The runs of this process by task id. */
export function createLiveRuns() {
  const runs = new Map<string, LiveRun>();
  const inLane = new Map<string, number>();
  const count = (lane: string): number => inLane.get(lane) ?? 0;
  return {
    count,
    ids: (): string[] => [...runs.keys()],
    enter(
      { id: taskId, lane, epoch }: Pick<EngineTask, "id" | "lane" | "epoch">,
      stored: Promise<boolean> = IS_STORED,
      holdsSlot = true,
    ): LiveRun {
      let resolveLeft: (finished: FinishedRun | undefined) => void = () => undefined;
      const run: LiveRun = {
        epoch,
        stored,
        isPersisted: stored === IS_STORED,
        holdsSlot,
        abort: new Stopper(),
        wake: () => undefined,
        running: () => NOTHING,
        left: new Promise((resolve) => {
          resolveLeft = resolve;
        }),
        leave(finished) {
          // A cancelled run may still be unwinding when its task was resumed and entered again.
          if (runs.get(taskId) === run) {
            runs.delete(taskId);
            if (holdsSlot) inLane.set(lane, count(lane) - 1);
          }
          resolveLeft(finished);
        },
      };
      if (!run.isPersisted) void stored.then(() => (run.isPersisted = true));
      const before = runs.get(taskId)?.holdsSlot === true ? 1 : 0;
      inLane.set(lane, count(lane) + (holdsSlot ? 1 : 0) - before);
      runs.set(taskId, run);
      return run;
    },
    get: (taskId: string): LiveRun | undefined => runs.get(taskId),
    running: (taskId: string): RunningSteps => runs.get(taskId)?.running() ?? NOTHING,
    left: (taskId: string): Promise<FinishedRun | undefined> =>
      runs.get(taskId)?.left ?? Promise.resolve(undefined),
    abort(taskIds: Iterable<string> = runs.keys()): void {
      for (const id of taskIds) runs.get(id)?.abort.abort();
    },
    allLeft: () => Promise.all([...runs.values()].map(({ left }) => left)),
  };
}
