import type { EngineStore } from "../store.ts";

/** Claims of this process. A claimed task is ours from its commit on, which is before the claim returns. */
export interface Claims extends Pick<EngineStore, "claimDue" | "claimQuarantined"> {
  /** Number of claims started so far. */
  started(): number;
  /** True once the first `count` claims have returned. */
  haveReturned(count: number): boolean;
}

export function createClaims(store: Pick<EngineStore, "claimDue" | "claimQuarantined">): Claims {
  const inFlight = new Set<number>();
  let started = 0;

  async function counted<T>(claim: () => Promise<T>): Promise<T> {
    const number = started++;
    inFlight.add(number);
    try {
      return await claim();
    } finally {
      inFlight.delete(number);
    }
  }

  return {
    claimDue: (...call) => counted(() => store.claimDue(...call)),
    claimQuarantined: (...call) => counted(() => store.claimQuarantined(...call)),
    started: () => started,
    haveReturned(count) {
      // A Set iterates in insertion order, so the first number is the oldest claim.
      const [oldest = Infinity] = inFlight;
      return oldest >= count;
    },
  };
}
