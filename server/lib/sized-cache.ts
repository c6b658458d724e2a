export interface SizedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size: number): void;
  delete(key: string): void;
}

/** Least recently used entries are evicted once the sizes add up to more than `maxSize`. The newest entry always stays. */
export function createSizedCache<Value>(maxSize: number): SizedCache<Value> {
  // A Map iterates in insertion order, so an entry that is read is inserted again and the first one is the oldest.
  const entries = new Map<string, { value: Value; size: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  return {
    delete: remove,
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      remove(key);
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxSize || oldest === key) break;
        remove(oldest);
      }
    },
  };
}
