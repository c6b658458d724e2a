import type { Clock } from "../../lib/clock.ts";
import { createDueLoop } from "./due-loop.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { EngineStore, EngineTask } from "../store.ts";

/** The lane of tasks that run a workflow. */
export const TASK_LANE = "task";

/** Tasks of one kind with slots of their own: those that think for a minute never hold up those that do not. */
export interface Lane {
  slots: Slots;
  /** Looks for what is due, now. */
  poll(): void;
  /** A place may have become free for what waits for one. */
  pollIfSlotFree(): void;
  close(): Promise<void>;
}

export interface LaneDeps {
  name: string;
  /** How many of its tasks are worked on at once. */
  limit: number;
  running(): number;
  /** Without it nothing could be done with a task but give it back. */
  holdsLease(): boolean;
  store: Pick<EngineStore, "countDue" | "claimDue" | "nextDue">;
  workerId: string;
  clock: Clock;
  work(task: EngineTask): void;
  onError(error: unknown, what: string): void;
}

export function createLane(deps: LaneDeps): Lane {
  const { name, limit, running, holdsLease, store, workerId, clock, work, onError } = deps;
  const slots = createSlots(limit, running);
  const loop = createDueLoop({
    clock,
    async takeDue() {
      // There may be more; it is looked for when the lease is ours again.
      if (!holdsLease()) return true;
      slots.clearFull();
      // To claim is to write, also when there is nothing left: of all who hear a hint, only those do it who see something.
      const due = slots.free() > 0 ? await store.countDue(slots.free(), clock.now(), name) : 0;
      const { count, release } = slots.reserve(due);
      try {
        const tasks = count > 0 ? await store.claimDue(workerId, count, clock.now(), name) : [];
        for (const task of tasks) work(task);
      } finally {
        release();
      }
      const isFull = slots.free() <= 0;
      if (isFull) slots.markFull();
      return isFull;
    },
    nextDue: () => store.nextDue(name),
    onError: (error) => onError(error, "looking for due tasks"),
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
