/** Callers that wait for a task which does not run in this process: a hint makes them read its row again. */
export interface TaskWaiters {
  /** Resolves at the next hint for the task; `cancel` forgets the waiter. */
  wait(taskId: string): { changed: Promise<void>; cancel(): void };
  notify(taskIds: readonly string[] | "any"): void;
}

export function createTaskWaiters(): TaskWaiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    wait(taskId) {
      const waiters = waiting.get(taskId) ?? new Set();
      waiting.set(taskId, waiters);
      let wake = (): void => undefined;
      const changed = new Promise<void>((resolve) => (wake = resolve));
      waiters.add(wake);
      return {
        changed,
        cancel() {
          waiters.delete(wake);
          if (waiters.size === 0 && waiting.get(taskId) === waiters) waiting.delete(taskId);
        },
      };
    },
    notify(taskIds) {
      for (const taskId of taskIds === "any" ? [...waiting.keys()] : taskIds) {
        for (const wake of waiting.get(taskId) ?? []) wake();
      }
    },
  };
}
