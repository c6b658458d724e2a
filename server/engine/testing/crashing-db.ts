import type { Db } from "../../storage/db.ts";
import { type CrashPoint, createCrashingCalls } from "./crash-point.ts";

/** The database of a process that crashes at a write, whichever part of it writes. */
export function crashingDb(db: Db, point: CrashPoint, onCrash: () => void): Db {
  const run = createCrashingCalls(point, onCrash);
  return new Proxy(db, {
    get(target, name: keyof Db) {
      if (name === "query")
        return (...args: Parameters<Db["query"]>) => run(false, () => target.query(...args));
      if (name === "batch")
        return (...args: Parameters<Db["batch"]>) => run(true, () => target.batch(...args));
      return target[name];
    },
  });
}
