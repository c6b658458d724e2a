/** The tasks that this process works on right now. */
export interface LiveRun {
  abort: AbortController;
  /** Looks again at everything that waits in this run. */
  wake(): void;
  running(): ReadonlyMap<string, { type: string; startedAt: number }>;
  /** Resolves when the task has left: ended, parked or dropped. */
  left: Promise<void>;
}

const NOTHING: ReadonlyMap<string, { type: string; startedAt: number }> = new Map();

export function createLiveRuns() {
  const runs = new Map<string, LiveRun & { leave(): void }>();
  return {
    get size() {
      return runs.size;
    },
    enter(taskId: string): LiveRun {
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const run = { abort: new AbortController(), wake: () => undefined, running: () => NOTHING, left, leave };
      runs.set(taskId, run);
      return run;
    },
    leave(taskId: string): void {
      const run = runs.get(taskId);
      runs.delete(taskId);
      run?.leave();
    },
    get: (taskId: string): LiveRun | undefined => runs.get(taskId),
    running: (taskId: string) => runs.get(taskId)?.running() ?? NOTHING,
    left: (taskId: string): Promise<void> => runs.get(taskId)?.left ?? Promise.resolve(),
    abortAll(): void {
      for (const { abort } of runs.values()) abort.abort();
    },
    allLeft: () => Promise.all([...runs.values()].map(({ left }) => left)),
  };
}
