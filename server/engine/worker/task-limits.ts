import type { Clock } from "../../lib/clock.ts";
import type { Limits } from "../../limits/limits.ts";
import type { EngineStore } from "../store.ts";
import { createEstimatedCount } from "./estimated-count.ts";

export interface TaskLimitsDeps {
  store: Pick<EngineStore, "countDue" | "countDescendants">;
  clock: Clock;
  limits: Pick<Limits, "max" | "refuse" | "assertNotSuspended">;
}

/** Refuses tasks before they are stored. */
export function createTaskLimits({ store, clock, limits }: TaskLimitsDeps) {
  const descendants = limits.max("descendants");
  const addQueued = createEstimatedCount(clock, (ownerId) =>
    store.countDue(ownerId, limits.max("queued_tasks", ownerId), clock.now()),
  );
  const addDescendant = createEstimatedCount(clock, (rootTaskId) =>
    store.countDescendants(rootTaskId, descendants),
  );
  return {
    /** For a task that no other task waits for. */
    async queue(ownerId: string): Promise<void> {
      const queued = limits.max("queued_tasks", ownerId);
      if (queued === 0 || (await addQueued(ownerId, queued))) return;
      const message = `${queued} of your tasks are waiting to run. Try again when some of them have started.`;
      throw limits.refuse("queued_tasks", message, { retryAfterSeconds: 5, ownerId });
    },
    async descend(rootTaskId: string): Promise<void> {
      if (descendants === 0 || (await addDescendant(rootTaskId, descendants))) return;
      const message = `This run has started ${descendants} other tasks. Check whether a workflow calls itself.`;
      throw limits.refuse("descendants", message);
    },
  };
}
