import type { Clock } from "../lib/clock.ts";
import type { EngineStore } from "./store.ts";

export interface Lease {
  /** By a clock that cannot jump: a process that was stopped and woke up knows that its tasks may be another's. */
  held(): boolean;
  close(): void;
}

/** One process on its own folder owns everything in it; the lock of the folder is the lease. */
export const soleOwner: Lease = { held: () => true, close: () => undefined };

/** After this share of the lease without a good heartbeat we stop trusting it; others wait for all of it. */
const TRUSTED_SHARE = 0.6;

export interface LeaseDeps {
  store: Pick<EngineStore, "heartbeat" | "recover">;
  workerId: string;
  leaseMs: number;
  clock: Clock;
  onRecovered(result: Awaited<ReturnType<EngineStore["recover"]>>): void;
  onError(error: unknown): void;
  maxLives: number;
}

/** Among several processes: a heartbeat every third of the lease, and the tasks of silent ones are taken back. */
export function createLease({
  store,
  workerId,
  leaseMs,
  clock,
  onRecovered,
  onError,
  maxLives,
}: LeaseDeps): Lease {
  let goodUntil = 0;
  let closed = false;

  async function beat(): Promise<void> {
    const before = clock.monotonic();
    try {
      await store.heartbeat(workerId, clock.now());
      goodUntil = before + leaseMs * TRUSTED_SHARE;
      const result = await store.recover(clock.now() - leaseMs, maxLives, clock.now());
      if (result.recovered > 0) onRecovered(result);
    } catch (error) {
      onError(error);
    }
    if (!closed) timer = setTimeout(() => void beat(), leaseMs / 3).unref();
  }

  let timer: NodeJS.Timeout | undefined;
  void beat();
  return {
    held: () => clock.monotonic() < goodUntil,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
