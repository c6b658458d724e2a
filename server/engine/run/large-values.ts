import type { FairQueue } from "../../lib/fair-queue.ts";

/** A value above this size counts as large: it takes tens of milliseconds to serialise, and megabytes while it is stored. */
export const LARGE_VALUE = 1024 * 1024;

/** At most four large values are read or stored at once, two of them of one owner. */
export const LARGE_VALUE_SLOTS = { slots: 4, perKey: 2 };

/** Large values of all runs of the process: few are in memory at once, and no two are serialised in the same turn. */
export interface LargeValues {
  hold(ownerId: string): LargeHold;
  /** Resolves in a turn of the event loop that no other large value is serialised in. */
  turn(): Promise<void>;
}

/** The slot of one step, from the moment its value is known to be large until the value is stored. */
export interface LargeHold {
  /** Waits for a slot; returns at once when the step has one. */
  take(signal?: AbortSignal): Promise<void>;
  /** The step has ended; a slot that is still waited for is given back as soon as it is free. */
  release(): void;
}

export function createLargeValues(queue: Pick<FairQueue, "run">): LargeValues {
  let lastTurn: Promise<void> = Promise.resolve();
  return {
    turn() {
      lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
      return lastTurn;
    },
    hold(ownerId) {
      let taking: Promise<void> | undefined;
      let isReleased = false;
      let giveBack: (() => void) | undefined;
      const take = (signal: AbortSignal | undefined): Promise<void> =>
        new Promise((resolve, reject) => {
          const untilReleased = (): Promise<void> =>
            new Promise((done) => {
              giveBack = done;
              if (isReleased) done();
              resolve();
            });
          queue.run(ownerId, untilReleased, { signal }).catch(reject);
        });
      return {
        take: (signal) => (taking ??= take(signal)),
        release() {
          isReleased = true;
          giveBack?.();
        },
      };
    },
  };
}
