import type { JournalEntry } from "./journal-entry.ts";
import type { Task } from "./task.ts";

/** The tasks that this process works on right now. */
export interface LiveRun {
  abort: AbortController;
  /** Looks again at everything that waits in this run. */
  wake(): void;
  running(): ReadonlyMap<string, { type: string; startedAt: number }>;
  /** Resolves when the task has left: ended, parked or dropped; with all of it, when it ended here as it began. */
  left: Promise<FinishedRun | undefined>;
}

/** A run that began and ended in this process: whoever waits for it need not read it back. */
export interface FinishedRun {
  task: Task;
  entries: readonly JournalEntry[];
}

const NOTHING: ReadonlyMap<string, { type: string; startedAt: number }> = new Map();

export function createLiveRuns() {
  const runs = new Map<string, LiveRun & { leave(finished: FinishedRun | undefined): void }>();
  return {
    get size() {
      return runs.size;
    },
    enter(taskId: string): LiveRun {
      let leave: (finished: FinishedRun | undefined) => void = () => undefined;
      const left = new Promise<FinishedRun | undefined>((resolve) => {
        leave = resolve;
      });
      const run = {
        abort: new AbortController(),
        wake: () => undefined,
        running: () => NOTHING,
        left,
        leave,
      };
      runs.set(taskId, run);
      return run;
    },
    leave(taskId: string, finished: FinishedRun | undefined): void {
      const run = runs.get(taskId);
      runs.delete(taskId);
      run?.leave(finished);
    },
    get: (taskId: string): LiveRun | undefined => runs.get(taskId),
    running: (taskId: string) => runs.get(taskId)?.running() ?? NOTHING,
    left: (taskId: string): Promise<FinishedRun | undefined> =>
      runs.get(taskId)?.left ?? Promise.resolve(undefined),
    abortAll(): void {
      for (const { abort } of runs.values()) abort.abort();
    },
    allLeft: () => Promise.all([...runs.values()].map(({ left }) => left)),
  };
}
