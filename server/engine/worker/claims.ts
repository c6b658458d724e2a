import type { EngineStore } from "../store.ts";

/** The claims of this process: what one takes over is ours from the moment it is stored, and we hear of it later. */
export interface Claims extends Pick<EngineStore, "claimDue" | "claimQuarantined"> {
  /** How many there were so far. */
  begun(): number;
  /** Whether we have heard of all that the first so many took over. */
  haveReturned(count: number): boolean;
}

export function createClaims(store: Pick<EngineStore, "claimDue" | "claimQuarantined">): Claims {
  const underWay = new Set<number>();
  let begun = 0;

  async function watched<T>(claim: () => Promise<T>): Promise<T> {
    const number = begun++;
    underWay.add(number);
    try {
      return await claim();
    } finally {
      underWay.delete(number);
    }
  }

  return {
    claimDue: (...call) => watched(() => store.claimDue(...call)),
    claimQuarantined: (...call) => watched(() => store.claimQuarantined(...call)),
    begun: () => begun,
    haveReturned(count) {
      const [oldest = Infinity] = underWay;
      return oldest >= count;
    },
  };
}
