import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import { type DueOwner, type Share, shareSlots } from "./share-slots.ts";

export interface FairDueLoopDeps<T extends { ownerId: string }> {
  store: {
    dueOwners(now: number): Promise<DueOwner[]>;
    /** The rows are due again when the claim expires. */
    claim(shares: readonly Share[], now: number): Promise<T[]>;
    nextDueAt(): Promise<number | null>;
  };
  /** A row whose work fails stays claimed, and is due again when the claim expires. */
  work(row: T): Promise<void>;
  clock: Clock;
  slots: number;
  slotsPerOwner: number;
  /** Completes "failed: …" in the log. */
  what: string;
  onError(error: unknown, what: string): void;
}

/** Works on due rows, with a share of the slots for every owner. `close` waits for the work in progress. */
export function createFairDueLoop<T extends { ownerId: string }>({
  store,
  work,
  clock,
  slots,
  slotsPerOwner,
  what,
  onError,
}: FairDueLoopDeps<T>): DueLoop {
  const inFlight = new Map<string, number>();
  const running = new Set<Promise<void>>();

  function begin(row: T): void {
    const { ownerId } = row;
    inFlight.set(ownerId, (inFlight.get(ownerId) ?? 0) + 1);
    const working = work(row)
      .catch((error: unknown) => onError(error, what))
      .finally(() => {
        running.delete(working);
        const left = (inFlight.get(ownerId) ?? 1) - 1;
        if (left === 0) inFlight.delete(ownerId);
        else inFlight.set(ownerId, left);
        loop.poll();
      });
    running.add(working);
  }

  const loop = createDueLoop({
    clock,
    async takeDue() {
      const owners = await store.dueOwners(clock.now());
      const free = slots - running.size;
      const shares = shareSlots(owners, { inFlight, free, perOwner: slotsPerOwner });
      const claimed = shares.length === 0 ? [] : await store.claim(shares, clock.now());
      claimed.forEach(begin);
      // With work in progress, the end of each polls again.
      return owners.length > 0 && running.size > 0;
    },
    nextDue: store.nextDueAt,
    onError: (error) => onError(error, what),
  });

  return {
    poll: loop.poll,
    async close() {
      await loop.close();
      await Promise.all(running);
    },
  };
}
