import { unavailable } from "../../lib/errors.ts";
import type { OwnerCount } from "../task-queue.ts";

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
  /**
   * Waits in memory until the owner may start one more task. Of the tasks of one owner the deepest starts first: a run
   * that calls itself goes down one branch at a time, and few of its tasks are in memory at once. The slot is reserved
   * until the returned function is called. Rejects when the signal is aborted or the process is stopping.
   */
  waitFor(ownerId: string, depth: number, signal: AbortSignal): Promise<() => void>;
  /** How many tasks of the owner wait in memory. */
  waiting(ownerId: string): number;
  /** Call when a slot was released. */
  serveWaiters(): void;
  /** True while a task is queued because no slot was free for it. */
  readonly markedFull: boolean;
  markFull(): void;
  /** Call before polling: a task queued during the poll marks the slots full again. */
  clearFull(): void;
  readonly closed: boolean;
  close(): void;
}

interface Waiter {
  depth: number;
  grant(): void;
  refuse(error: Error): void;
}

export interface SlotsOptions {
  limit: number;
  /** The part of the slots left by others that one owner may use; 1 lets an owner use them all. */
  ownerShare(ownerId: string): number;
  running(): number;
  runningOf(ownerId: string): number;
}

export function createSlots({ limit, ownerShare, running, runningOf }: SlotsOptions): Slots {
  const reservedOf = new Map<string, number>();
  /** In the order of their calls. */
  const waiters = new Map<string, Set<Waiter>>();
  let reserved = 0;
  let markedFull = false;
  let closed = false;
  const free = (): number => limit - running() - reserved;
  const heldBy = (ownerId: string): number => runningOf(ownerId) + (reservedOf.get(ownerId) ?? 0);

  /** With half as the share, the first owner gets a half, the second a quarter: a slot is free for the next one, too. */
  function freeFor(ownerId: string): number {
    const held = heldBy(ownerId);
    const leftByOthers = free() + held;
    return Math.min(free(), Math.ceil(leftByOthers * ownerShare(ownerId)) - held);
  }

  function change(ownerId: string, by: number): void {
    reserved += by;
    const count = (reservedOf.get(ownerId) ?? 0) + by;
    if (count === 0) reservedOf.delete(ownerId);
    else reservedOf.set(ownerId, count);
  }

  function removeWaiter(ownerId: string, waiter: Waiter): void {
    const own = waiters.get(ownerId);
    own?.delete(waiter);
    if (own?.size === 0) waiters.delete(ownerId);
  }

  function serveWaiters(): void {
    while (waiters.size > 0 && free() > 0) {
      let next: string | undefined;
      for (const ownerId of waiters.keys()) {
        if (freeFor(ownerId) > 0 && (next === undefined || heldBy(ownerId) < heldBy(next))) next = ownerId;
      }
      if (next === undefined) return;
      deepest(waiters.get(next)!).grant();
    }
  }

  return {
    free,
    freeFor,
    serveWaiters,
    waiting: (ownerId) => waiters.get(ownerId)?.size ?? 0,
    waitFor: (ownerId, depth, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", abort);
          removeWaiter(ownerId, waiter);
        };
        const abort = (): void => waiter.refuse(signal.reason as Error);
        const waiter: Waiter = {
          depth,
          grant() {
            leave();
            change(ownerId, 1);
            resolve(() => {
              change(ownerId, -1);
              serveWaiters();
            });
          },
          refuse(error) {
            leave();
            reject(error);
          },
        };
        const own = waiters.get(ownerId) ?? new Set();
        waiters.set(ownerId, own.add(waiter));
        signal.addEventListener("abort", abort, { once: true });
        if (signal.aborted) abort();
        else if (closed) waiter.refuse(stopping());
      }),
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
          // A slot released during the claim was not free for them, and a claim may return fewer tasks.
          serveWaiters();
        },
      };
    },
    canStart(ownerId, always) {
      if (closed) throw stopping();
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
      for (const waiter of [...waiters.values()].flatMap((own) => [...own])) waiter.refuse(stopping());
    },
  };
}

function stopping(): Error {
  return unavailable("The service is stopping and accepts no new work. Try again shortly.");
}

/** Among equally deep ones the first that came. */
function deepest(waiters: Iterable<Waiter>): Waiter {
  let found: Waiter | undefined;
  for (const waiter of waiters) if (found === undefined || waiter.depth > found.depth) found = waiter;
  return found!;
}
