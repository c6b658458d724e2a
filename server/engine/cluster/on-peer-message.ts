import type { CheckRun } from "./check-run.ts";
import type { LiveRuns } from "../worker/live-runs.ts";
import type { TaskWaiters } from "../tasks/task-waiters.ts";
import type { PeerListener } from "./peers.ts";
import type { TaskEvents } from "../tasks/task-events.ts";

export interface HearingDeps {
  live: Pick<LiveRuns, "ids">;
  checkRun: CheckRun;
  taskWaiters: TaskWaiters;
  events: TaskEvents;
  /** Looks for due work in every lane. */
  poll(): void;
  onError(error: unknown, what: string): void;
}

/** What another process did to a task matters to those who run it here, wait for it, or watch it. */
export function onPeerMessage({
  live,
  checkRun,
  taskWaiters,
  events,
  poll,
  onError,
}: HearingDeps): PeerListener {
  return {
    workIsDue: poll,
    tasksChanged(taskIds) {
      taskWaiters.notify(taskIds);
      events.readOn(taskIds);
      if (taskIds === "any") poll();
      for (const taskId of taskIds === "any" ? live.ids() : taskIds) {
        checkRun(taskId).catch((error: unknown) => onError(error, `looking after task ${taskId}`));
      }
    },
  };
}
