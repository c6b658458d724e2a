import type { EngineStore } from "../store.ts";

export interface CrashPoint {
  /** The process dies at this write, counted from 0. */
  write: number;
  /** Whether the write reached the disk before it died. */
  stored: boolean;
}

/** A store whose process dies at a write: from then on nobody in it ever hears of anything again. */
export function crashingStore(store: EngineStore, point: CrashPoint, onCrash: () => void): EngineStore {
  let writes = 0;
  let dead = false;
  let underWay = 0;
  const forever = new Promise<never>(() => undefined);

  async function attempt(method: string, call: () => Promise<unknown>): Promise<unknown> {
    if (dead) return forever;
    const isWrite = ["record", "accept", "claimDue", "decide", "reopen"].includes(method);
    if (isWrite && writes++ === point.write) dead = true;
    underWay += 1;
    const answer = dead && !point.stored ? undefined : await call().catch(() => undefined);
    underWay -= 1;
    if (!dead) return answer;
    // Nothing of a dead process is written after the next one has begun.
    if (underWay === 0) onCrash();
    return forever;
  }

  return new Proxy(store, {
    get(target, method: keyof EngineStore) {
      const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
      return (...parameters: unknown[]) => attempt(method, () => original(...parameters));
    },
  });
}
