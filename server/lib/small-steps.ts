import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./clock.ts";

export interface SmallSteps {
  /** How many rows the next step may touch. */
  rows(): number;
  /** Runs one step, then leaves the event loop and the disk idle for three times as long. Throws once stopped. */
  throttled<T>(step: () => Promise<T>): Promise<T>;
  /** Repeats a delete of at most `limit` rows, which returns how many it deleted, until nothing is left. */
  deleteAll(deleteRows: (limit: number) => Promise<number>): Promise<void>;
}

/** A step that takes longer than this halves the next one; one that takes less than a quarter doubles it. */
const TARGET_STEP_MS = 12;

/** Deletes many rows in steps of a few milliseconds, so that requests are not delayed noticeably. */
export function createSmallSteps(
  clock: Pick<Clock, "monotonic">,
  signal: AbortSignal,
  { firstRows, maxRows }: { firstRows: number; maxRows: number },
): SmallSteps {
  let stepRows = firstRows;

  async function throttled<T>(step: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const began = clock.monotonic();
    const result = await step();
    const took = clock.monotonic() - began;
    if (took > TARGET_STEP_MS) stepRows = Math.max(1, Math.floor(stepRows / 2));
    else if (took < TARGET_STEP_MS / 4) stepRows = Math.min(maxRows, stepRows * 2);
    await sleep(Math.min(100, took * 3), undefined, { signal });
    return result;
  }

  return {
    rows: () => stepRows,
    throttled,
    async deleteAll(deleteRows) {
      // The rows of the previous delete may have been a thousand times smaller.
      stepRows = Math.min(stepRows, firstRows);
      for (let limit = stepRows; (await throttled(() => deleteRows(limit))) === limit;) limit = stepRows;
    },
  };
}
