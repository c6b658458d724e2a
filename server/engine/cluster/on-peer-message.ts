import type { CheckRun } from "./check-run.ts";
import type { LiveRuns } from "../worker/live-runs.ts";
import type { Moves } from "../tasks/task-waiters.ts";
import type { NeighbourEars } from "./peers.ts";
import type { TaskEvents } from "../tasks/task-events.ts";

export interface HearingDeps {
  live: Pick<LiveRuns, "ids">;
  checkRun: CheckRun;
  moves: Moves;
  events: TaskEvents;
  /** Looks for due work in every lane. */
  look(): void;
  onError(error: unknown, what: string): void;
}

/** What another process did to a task matters to those who run it here, wait for it, or watch it. */
export function hearNeighbours({ live, checkRun, moves, events, look, onError }: HearingDeps): NeighbourEars {
  return {
    workIsDue: look,
    tasksMoved(taskIds) {
      moves.tell(taskIds);
      events.readOn(taskIds);
      if (taskIds === "any") look();
      for (const taskId of taskIds === "any" ? live.ids() : taskIds) {
        checkRun(taskId).catch((error: unknown) => onError(error, `looking after task ${taskId}`));
      }
    },
  };
}
