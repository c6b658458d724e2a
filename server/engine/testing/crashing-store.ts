import type { EngineStore } from "../store.ts";
import { type CrashPoint, createCrashingCalls } from "./crash-point.ts";

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
  const run = createCrashingCalls(point, onCrash);
  return new Proxy(store, {
    get(target, method: keyof EngineStore) {
      const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
      return (...parameters: unknown[]) => run(WRITES.has(method), () => original(...parameters));
    },
  });
}
