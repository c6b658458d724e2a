import type { FairQueue } from "../../lib/fair-queue.ts";
import { ownTurn } from "../../lib/in-turns.ts";

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
  return {
    turn: ownTurn,
    hold: (ownerId) => new Hold(queue, ownerId),
  };
}

/** A class, because every step has one and hardly any takes a slot: closures were 1 µs of each step. */
class Hold implements LargeHold {
  readonly #queue: Pick<FairQueue, "run">;
  readonly #ownerId: string;
  #taking: Promise<void> | undefined;
  #isReleased = false;
  #releaseSlot: (() => void) | undefined;

  constructor(queue: Pick<FairQueue, "run">, ownerId: string) {
    this.#queue = queue;
    this.#ownerId = ownerId;
  }

  take(signal?: AbortSignal): Promise<void> {
    this.#taking ??= new Promise((resolve, reject) => {
      const untilReleased = (): Promise<void> =>
        new Promise((done) => {
          this.#releaseSlot = done;
          if (this.#isReleased) done();
          resolve();
        });
      this.#queue.run(this.#ownerId, untilReleased, { signal }).catch(reject);
    });
    return this.#taking;
  }

  release(): void {
    this.#isReleased = true;
    this.#releaseSlot?.();
  }
}
