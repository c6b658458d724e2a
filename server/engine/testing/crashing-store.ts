import type { EngineStore } from "../store.ts";

export interface CrashPoint {
  /** Number of the write at which the process crashes, from 0. */
  write: number;
  /** Whether the write is stored before the crash. */
  stored: boolean;
}

const WRITES = new Set([
  "record",
  "accept",
  "claimDue",
  "decide",
  "reopen",
  "cancelDescendants",
  "receiveEvent",
  "enterGroup",
]);

/** A store whose process crashes at a write: no call returns after that. */
export function crashingStore(store: EngineStore, point: CrashPoint, onCrash: () => void): EngineStore {
  let writes = 0;
  let dead = false;
  let inFlight = 0;
  const forever = new Promise<never>(() => undefined);

  async function attempt(method: string, call: () => Promise<unknown>): Promise<unknown> {
    if (dead) return forever;
    const isWrite = WRITES.has(method);
    if (isWrite && writes++ === point.write) dead = true;
    inFlight += 1;
    const answer = dead && !point.stored ? undefined : await call().catch(() => undefined);
    inFlight -= 1;
    if (!dead) return answer;
    // The next process must not start while a write of the crashed one is in flight.
    if (inFlight === 0) onCrash();
    return forever;
  }

  return new Proxy(store, {
    get(target, method: keyof EngineStore) {
      const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
      return (...parameters: unknown[]) => attempt(method, () => original(...parameters));
    },
  });
}
