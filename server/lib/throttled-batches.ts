import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** Work on many rows, split into batches of a few milliseconds, so that requests are not delayed noticeably. */
export interface ThrottledBatches {
  /** How many rows the next batch may touch. */
  rows(): number;
  /** Runs one batch, then leaves the event loop and the disk idle for three times as long. Throws once stopped. */
  run<T>(batch: () => Promise<T>): Promise<T>;
  /** Repeats a delete of at most `limit` rows, which returns how many it deleted, until nothing is left. */
  deleteAll(deleteRows: (limit: number) => Promise<number>): Promise<void>;
}

/** A batch that takes longer than this halves the next one; one that takes less than a quarter doubles it. */
const TARGET_BATCH_MS = 12;

export function createThrottledBatches(
  clock: Pick<Clock, "monotonic">,
  signal: AbortSignal,
  { firstRows, maxRows }: { firstRows: number; maxRows: number },
): ThrottledBatches {
  let batchRows = firstRows;

  async function run<T>(batch: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const startedAt = clock.monotonic();
    const result = await batch();
    const took = clock.monotonic() - startedAt;
    if (took > TARGET_BATCH_MS) batchRows = Math.max(1, Math.floor(batchRows / 2));
    else if (took < TARGET_BATCH_MS / 4) batchRows = Math.min(maxRows, batchRows * 2);
    await sleep(Math.min(100, took * 3), undefined, { signal });
    return result;
  }

  return {
    rows: () => batchRows,
    run,
    async deleteAll(deleteRows) {
      // The rows of the previous delete may have been a thousand times smaller.
      batchRows = Math.min(batchRows, firstRows);
      for (let limit = batchRows; (await run(() => deleteRows(limit))) === limit;) limit = batchRows;
    },
  };
}
