import type { Db } from "./db.ts";

const MAX_ENTRIES = 1000;

/** Values read from the database, kept while no record changes. Keeps nothing where `recordsVersion` is absent. */
export function createRecordCache<Value>({ recordsVersion }: Pick<Db, "recordsVersion">) {
  const entries = new Map<string, Value>();
  let version: number | undefined;

  return {
    /** The current value if it is known. Otherwise the caller reads it and passes it to `keep`. */
    open(key: string): { value: Value | undefined; keep(value: Value): void } {
      const now = recordsVersion?.();
      if (version !== now) entries.clear();
      version = now;
      return {
        value: entries.get(key),
        keep(value) {
          // A record may have changed during the read.
          if (now === undefined || now !== recordsVersion?.()) return;
          if (entries.size >= MAX_ENTRIES) entries.clear();
          entries.set(key, value);
        },
      };
    },
  };
}
