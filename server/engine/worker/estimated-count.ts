import type { Clock } from "../../lib/clock.ts";

/** A count is read again after this many additions: other processes add, too. */
const RECOUNT_AFTER = 500;
const MAX_AGE_MS = 10_000;
const MAX_REFUSAL_AGE_MS = 1000;
const MAX_KEYS = 10_000;

interface Count {
  counted: number;
  added: number;
  readAt: number;
}

/**
 * Counts rows by key without a query per row: the number read from the database plus the additions of this process. A
 * refusal is never older than a second.
 */
export function createEstimatedCount(clock: Clock, read: (key: string) => Promise<number>) {
  const counts = new Map<string, Promise<Count>>();

  function recount(key: string): Promise<Count> {
    const reading = read(key).then((counted) => ({ counted, added: 0, readAt: clock.monotonic() }));
    reading.catch(() => counts.get(key) === reading && counts.delete(key));
    counts.delete(key);
    counts.set(key, reading);
    if (counts.size > MAX_KEYS) counts.delete(counts.keys().next().value!);
    return reading;
  }

  function isOutdated({ counted, added, readAt }: Count, limit: number): boolean {
    const isAtLimit = counted + added >= limit;
    return (
      added >= RECOUNT_AFTER || clock.monotonic() - readAt > (isAtLimit ? MAX_REFUSAL_AGE_MS : MAX_AGE_MS)
    );
  }

  /** Adds one unless `limit` is reached; false when it is. */
  return async function add(key: string, limit: number): Promise<boolean> {
    // All callers that find a count outdated wait for the same new one.
    let reading = counts.get(key) ?? recount(key);
    let count = await reading;
    if (isOutdated(count, limit)) {
      const latest = counts.get(key);
      reading = latest === undefined || latest === reading ? recount(key) : latest;
      count = await reading;
    }
    if (count.counted + count.added >= limit) return false;
    count.added += 1;
    return true;
  };
}
