import { setFlagsFromString } from "node:v8";

export interface HeapGrowth {
  /** Bounds garbage now and for a few seconds after the last call. */
  bound(): void;
}

/** A loop over a file reads its next item well within this time, unless it waits for other services. */
const BOUNDED_MS = 10_000;

/**
 * V8 lets garbage grow to three times the live heap: a loop over a CSV of 100 MB that posts every batch took 334 MB of
 * memory, and one of 200 MB takes 250 MB with as much garbage as live values. A call takes 3 to 11 % more CPU then, so the
 * bound holds only while it is needed.
 */
export function createHeapGrowth(setFlags: (flags: string) => void = setFlagsFromString): HeapGrowth {
  let timer: NodeJS.Timeout | undefined;
  return {
    bound() {
      if (timer !== undefined) {
        timer.refresh();
        return;
      }
      setFlags("--heap-growing-percent=100");
      timer = setTimeout(() => {
        timer = undefined;
        // V8 chooses again.
        setFlags("--heap-growing-percent=0");
      }, BOUNDED_MS).unref();
    },
  };
}
