/** For those who wait for a task that does not run here: whether it is worth looking at its row again. */
export interface Moves {
  /** Resolves when the task is said to have moved; `cancel` when nobody waits for that any longer. */
  next(taskId: string): { moved: Promise<void>; cancel(): void };
  tell(taskIds: readonly string[] | "any"): void;
}

export function createMoves(): Moves {
  const waiting = new Map<string, Set<() => void>>();
  return {
    next(taskId) {
      const waiters = waiting.get(taskId) ?? new Set();
      waiting.set(taskId, waiters);
      let wake = (): void => undefined;
      const moved = new Promise<void>((resolve) => (wake = resolve));
      waiters.add(wake);
      return {
        moved,
        cancel() {
          waiters.delete(wake);
          if (waiters.size === 0 && waiting.get(taskId) === waiters) waiting.delete(taskId);
        },
      };
    },
    tell(taskIds) {
      for (const taskId of taskIds === "any" ? [...waiting.keys()] : taskIds) {
        for (const wake of waiting.get(taskId) ?? []) wake();
      }
    },
  };
}
