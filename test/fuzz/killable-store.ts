import type { EngineStore } from "../../server/engine/store.ts";

/** A store whose process can be ended from outside: from then on nobody in it hears of anything again. */
export function killableStore(store: EngineStore): { store: EngineStore; die(): Promise<void> } {
  let dead = false;
  const underWay = new Set<Promise<unknown>>();
  const forever = new Promise<never>(() => undefined);

  async function attempt(call: () => Promise<unknown>): Promise<unknown> {
    if (dead) return forever;
    const answer = call();
    underWay.add(answer);
    try {
      const value = await answer;
      return dead ? await forever : value;
    } finally {
      underWay.delete(answer);
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
      await Promise.allSettled(underWay);
    },
  };
}
