import { ChurnMap } from "../../lib/churn-map.ts";
import type { FinishedOf } from "../cluster/peers.ts";
import type { FinishedRun } from "../worker/live-runs.ts";

/** Callers that wait for a task which does not run in this process: a hint makes them read its row again. */
export interface TaskWaiters {
  /** Resolves at the next hint for the task, with its run when the hint carries it; `cancel` forgets the waiter. */
  wait(taskId: string): { changed: Promise<FinishedRun | undefined>; cancel(): void };
  notify(taskIds: readonly string[] | "any", finished?: FinishedOf): void;
}

export function createTaskWaiters(): TaskWaiters {
  const waiting = new ChurnMap<string, Set<(finished: FinishedRun | undefined) => void>>();
  return {
    wait(taskId) {
      const waiters = waiting.get(taskId) ?? new Set();
      waiting.set(taskId, waiters);
      let wake = (_finished: FinishedRun | undefined): void => undefined;
      const changed = new Promise<FinishedRun | undefined>((resolve) => (wake = resolve));
      waiters.add(wake);
      return {
        changed,
        cancel() {
          waiters.delete(wake);
          if (waiters.size === 0 && waiting.get(taskId) === waiters) waiting.delete(taskId);
        },
      };
    },
    notify(taskIds, finishedOf) {
      for (const taskId of taskIds === "any" ? [...waiting.keys()] : taskIds) {
        const wakes = waiting.get(taskId);
        if (wakes === undefined) continue;
        const finished = finishedOf?.(taskId);
        for (const wake of wakes) wake(finished);
      }
    },
  };
}
