/** For those who wait for a task that does not run here: whether it is worth looking at its row again. */
export interface TaskWaiters {
  /** Resolves when the task is said to have changed; `cancel` when nobody waits for that any longer. */
  next(taskId: string): { changed: Promise<void>; cancel(): void };
  notify(taskIds: readonly string[] | "any"): void;
}

export function createTaskWaiters(): TaskWaiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    next(taskId) {
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
