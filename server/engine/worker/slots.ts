import { unavailable } from "../../lib/errors.ts";
import type { OwnerCount } from "../store.ts";

/**
 * How many tasks of a lane this process runs at once, and how many of them one owner may run. A run takes its slot when
 * it starts.
 */
export interface Slots {
  /** Whether one more task of this owner may start; `always` ignores the limits. Throws `unavailable` while the process is stopping. */
  canStart(ownerId: string, always: boolean): boolean;
  /** Negative when tasks that ignore the limit exceed it. */
  free(): number;
  /** How many more tasks this owner may start. */
  freeFor(ownerId: string): number;
  /**
   * Divides the free slots among owners with due tasks: the next slot goes to the owner who holds the fewest. Reserves
   * them, so that tasks accepted during the claim cannot take them.
   */
  reserve(due: readonly OwnerCount[]): { shares: OwnerCount[]; release(): void };
  /** True while a task is queued because no slot was free for it. */
  readonly markedFull: boolean;
  markFull(): void;
  /** Call before polling: a task queued during the poll marks the slots full again. */
  clearFull(): void;
  readonly closed: boolean;
  close(): void;
}

export interface SlotsOptions {
  limit: number;
  /** The part of the slots left by others that one owner may use; 1 lets an owner use them all. */
  ownerShare: number;
  running(): number;
  runningOf(ownerId: string): number;
}

export function createSlots({ limit, ownerShare, running, runningOf }: SlotsOptions): Slots {
  const reservedOf = new Map<string, number>();
  let reserved = 0;
  let markedFull = false;
  let closed = false;
  const free = (): number => limit - running() - reserved;
  const heldBy = (ownerId: string): number => runningOf(ownerId) + (reservedOf.get(ownerId) ?? 0);

  /** With half as the share, the first owner gets a half, the second a quarter: a slot is free for the next one, too. */
  function freeFor(ownerId: string): number {
    const held = heldBy(ownerId);
    const leftByOthers = free() + held;
    return Math.min(free(), Math.ceil(leftByOthers * ownerShare) - held);
  }

  function change(ownerId: string, by: number): void {
    reserved += by;
    const count = (reservedOf.get(ownerId) ?? 0) + by;
    if (count === 0) reservedOf.delete(ownerId);
    else reservedOf.set(ownerId, count);
  }

  return {
    free,
    freeFor,
    reserve(due) {
      const shares = new Map<string, number>();
      const waiting = new Map(due.map(({ ownerId, count }) => [ownerId, count]));
      while (free() > 0) {
        let next: string | undefined;
        for (const [ownerId, count] of waiting) {
          if (count <= (shares.get(ownerId) ?? 0) || freeFor(ownerId) <= 0) waiting.delete(ownerId);
          else if (next === undefined || heldBy(ownerId) < heldBy(next)) next = ownerId;
        }
        if (next === undefined) break;
        shares.set(next, (shares.get(next) ?? 0) + 1);
        change(next, 1);
      }
      return {
        shares: [...shares].map(([ownerId, count]) => ({ ownerId, count })),
        release() {
          for (const [ownerId, count] of shares) change(ownerId, -count);
        },
      };
    },
    canStart(ownerId, always) {
      if (closed) throw unavailable("The service is stopping and accepts no new work. Try again shortly.");
      return always || freeFor(ownerId) > 0;
    },
    get markedFull() {
      return markedFull;
    },
    markFull() {
      markedFull = true;
    },
    clearFull() {
      markedFull = false;
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
    },
  };
}
