import type { Clock } from "../../lib/clock.ts";
import { createDueLoop } from "./due-loop.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { EngineStore, EngineTask } from "../store.ts";

/** The lane of tasks that run a workflow. */
export const TASK_LANE = "task";

/** Tasks of one kind with slots of their own, so that slow kinds (a model call takes a minute) never block fast ones. */
export interface Lane {
  slots: Slots;
  poll(): void;
  /** Polls if a task is queued for a slot and a slot is free. */
  pollIfSlotFree(): void;
  close(): Promise<void>;
}

export interface LaneDeps {
  name: string;
  limit: number;
  running(): number;
  /** A task claimed without the lease could only be released again. */
  holdsLease(): boolean;
  store: Pick<EngineStore, "countDue" | "claimDue" | "nextDue">;
  workerId: string;
  clock: Clock;
  run(task: EngineTask): void;
  onError(error: unknown, what: string): void;
}

export function createLane(deps: LaneDeps): Lane {
  const { name, limit, running, holdsLease, store, workerId, clock, run, onError } = deps;
  const slots = createSlots(limit, running);
  const loop = createDueLoop({
    clock,
    async takeDue() {
      // The lane polls again when the lease is regained.
      if (!holdsLease()) return true;
      slots.clearFull();
      // A claim is a write even when nothing is due: count first, so that one hint does not make every process write.
      const due = slots.free() > 0 ? await store.countDue(slots.free(), clock.now(), name) : 0;
      const { count, release } = slots.reserve(due);
      try {
        const tasks = count > 0 ? await store.claimDue(workerId, count, clock.now(), name) : [];
        for (const task of tasks) run(task);
      } finally {
        release();
      }
      const isFull = slots.free() <= 0;
      if (isFull) slots.markFull();
      return isFull;
    },
    nextDue: () => store.nextDue(name),
    onError: (error) => onError(error, "claiming due tasks"),
  });

  return {
    slots,
    poll: () => loop.poll(),
    pollIfSlotFree() {
      if (slots.markedFull && slots.free() > 0) loop.poll();
    },
    close() {
      slots.close();
      return loop.close();
    },
  };
}
