import type { Clock } from "../../lib/clock.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { OwnerCount } from "../task-queue.ts";
import { createDueLoop } from "./due-loop.ts";
import { createSlots, type Slots, type SlotsOptions } from "./slots.ts";

/** The lane of tasks that run a workflow. */
export const TASK_LANE = "task";

/** Tasks of one kind with their own slots, so that slow kinds (a model call takes a minute) never block fast ones. */
export interface Lane {
  slots: Slots;
  poll(): void;
  /** A slot was released: gives it to a task that waits in memory, or polls if one is queued. */
  slotReleased(): void;
  close(): Promise<void>;
}

export interface LaneDeps extends SlotsOptions {
  name: string;
  /** Whether this process is ready and holds its lease. */
  mayClaim(): boolean;
  /** Another process can run tasks of this lane. */
  hasPeers(): boolean;
  store: Pick<EngineStore, "pollDue" | "furtherDueOwners" | "claimDue">;
  workerId: string;
  clock: Clock;
  run(task: EngineTask): void;
  onError(error: unknown, what: string): void;
}

/** A process with peers claims half of a longer queue at a time, so that the others get their part. */
const CLAIMED_WHOLE = 4;

export function createLane(deps: LaneDeps): Lane {
  const { name, mayClaim, store, workerId, clock, run, onError } = deps;
  const slots = createSlots(deps);
  /** The owner at which the last search for further owners ended. */
  let lastOwner = "";
  /** As the last poll has read it; in the past when it has left tasks that may start. */
  let nextDue: number | null = null;

  /** Due tasks by owner. While more is due than may start, also of owners whose tasks are behind those of others. */
  async function dueTasks(now: number): Promise<{ due: OwnerCount[]; isMore: boolean }> {
    const limit = slots.free() + 1;
    // Without a free slot nothing is read. One may be released before the lane is marked as full.
    nextDue = now;
    if (limit <= 1) return { due: [], isMore: false };
    const { due, next } = await store.pollDue(limit, now, name);
    nextDue = next;
    const count = countOf(due);
    const isMore = count >= limit || due.some((each) => each.count > slots.freeFor(each.ownerId));
    if (count < limit) return { due, isMore };
    const further = await store.furtherDueOwners(lastOwner, now, name);
    lastOwner = further.lastOwner;
    const known = new Set(due.map(({ ownerId }) => ownerId));
    return { due: [...due, ...further.due.filter(({ ownerId }) => !known.has(ownerId))], isMore };
  }

  const loop = createDueLoop({
    clock,
    async takeDue() {
      // The lane polls again when the process is ready and when the lease is regained.
      if (!mayClaim()) return true;
      slots.clearFull();
      const now = clock.now();
      // A claim is a write even when nothing is due: read first, so that one hint does not make every process write.
      const { due, isMore } = await dueTasks(now);
      const { shares, release } = slots.reserve(deps.hasPeers() ? due.map(halfOf) : due);
      let claimed = 0;
      try {
        const tasks = shares.length > 0 ? await store.claimDue(workerId, shares, now, name) : [];
        claimed = tasks.length;
        for (const task of tasks) run(task);
      } finally {
        release();
      }
      const isFull = slots.free() <= 0;
      if (isFull || isMore) slots.markFull();
      // Tasks that wait for a slot are claimed when one is released. Until a poll finds none that may start, the next one
      // follows at once: owners beyond the searched ones may have some, and peers may leave theirs.
      const hasSeenAll = isMore ? shares.length === 0 && lastOwner === "" : countOf(due) === claimed;
      if (!hasSeenAll) nextDue = now;
      return isFull;
    },
    nextDue: () => Promise.resolve(nextDue),
    onError: (error) => onError(error, "claiming due tasks"),
  });

  return {
    slots,
    poll: () => loop.poll(),
    slotReleased() {
      slots.serveWaiters();
      if (slots.markedFull && slots.free() > 0) loop.poll();
    },
    close() {
      slots.close();
      return loop.close();
    },
  };
}

function countOf(owners: readonly OwnerCount[]): number {
  return owners.reduce((sum, { count }) => sum + count, 0);
}

function halfOf({ ownerId, count }: OwnerCount): OwnerCount {
  return { ownerId, count: count <= CLAIMED_WHOLE ? count : Math.ceil(count / 2) };
}
