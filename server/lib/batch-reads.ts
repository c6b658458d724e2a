/** The results of one batch are in memory together. */
const MAX_BATCH = 100;

interface PendingRead<Key, Result> {
  key: Key;
  result: Promise<Result>;
  resolve(result: Promise<Result>): void;
}

/**
 * Reads that are requested in one turn of the event loop are sent together at its end: one round trip for fifty
 * callers, and equal keys once. A caller never gets a result that is older than its request, since nothing is read
 * before the turn is over.
 */
export function batchReads<Key, Result>(
  /** Returns the results in the order of the keys. */
  read: (keys: readonly Key[]) => readonly Promise<Result>[],
  /** Keys with the same identity are read once. */
  identityOf: (key: Key) => unknown = (key) => key,
): (key: Key) => Promise<Result> {
  let pending = new Map<unknown, PendingRead<Key, Result>>();

  function readAll(): void {
    const all = [...pending.values()];
    pending = new Map();
    for (let from = 0; from < all.length; from += MAX_BATCH) {
      const batch = all.slice(from, from + MAX_BATCH);
      const results = read(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    }
  }

  return (key) => {
    const identity = identityOf(key);
    const known = pending.get(identity);
    if (known !== undefined) return known.result;
    if (pending.size === 0) setImmediate(readAll);
    let resolve: PendingRead<Key, Result>["resolve"] = () => undefined;
    const result = new Promise<Result>((settle) => (resolve = settle));
    pending.set(identity, { key, result, resolve });
    return result;
  };
}
