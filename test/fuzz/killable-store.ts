import type { EngineStore } from "../../server/engine/store.ts";

/** A store whose process the test can kill: after that, its calls never settle. */
export function killableStore(store: EngineStore): { store: EngineStore; die(): Promise<void> } {
  let dead = false;
  const inFlight = new Set<Promise<unknown>>();
  const forever = new Promise<never>(() => undefined);

  async function attempt(call: () => Promise<unknown>): Promise<unknown> {
    if (dead) return forever;
    const result = call();
    inFlight.add(result);
    try {
      const value = await result;
      return dead ? await forever : value;
    } finally {
      inFlight.delete(result);
    }
  }

  return {
    store: new Proxy(store, {
      get(target, method: keyof EngineStore) {
        const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
        return (...parameters: unknown[]) => attempt(() => original(...parameters));
      },
    }),
    async die() {
      dead = true;
      // The next process must not start while a write of the crashed one is in flight.
      await Promise.allSettled(inFlight);
    },
  };
}
