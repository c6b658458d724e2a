import type { Clock } from "../../lib/clock.ts";
import type { EngineStore } from "../store.ts";

export interface Lease {
  /** Resolves when others know of this process: before, a task of its own would look like a dead one's. */
  begun: Promise<void>;
  /** By a clock that cannot jump: a process that was stopped and woke up knows that its tasks may be another's. */
  held(): boolean;
  close(): void;
}

/** One process on its own folder owns everything in it; the lock of the folder is the lease. */
export const soleOwner: Lease = { begun: Promise.resolve(), held: () => true, close: () => undefined };

/** After this share of the lease without a good heartbeat we stop trusting it; others wait for all of it. */
const TRUSTED_SHARE = 0.6;

export interface LeaseDeps {
  store: Pick<EngineStore, "heartbeat" | "recover">;
  workerId: string;
  leaseMs: number;
  clock: Clock;
  /** Whether this process takes up the work of others. */
  recovers: boolean;
  onRecovered(result: Awaited<ReturnType<EngineStore["recover"]>>): void;
  /** It had run out and is ours again: drops the runs whose tasks were taken over meanwhile. Nothing is done before. */
  onRegained(): Promise<void>;
  /** It is ours, for the first time or again: from now on work is taken up. */
  onTrusted(): void;
  onError(error: unknown): void;
  maxCrashes: number;
}

/** Among several processes: a heartbeat every third of the lease, and the tasks of silent ones are taken back. */
export function createLease({
  store,
  workerId,
  leaseMs,
  clock,
  recovers,
  onRecovered,
  onRegained,
  onTrusted,
  onError,
  maxCrashes,
}: LeaseDeps): Lease {
  let goodUntil = 0;
  let judgesFrom = 0;
  let closed = false;

  async function beat(): Promise<void> {
    const before = clock.monotonic();
    try {
      await store.heartbeat(workerId, clock.now());
      // From here on nobody takes our tasks over; until here somebody may have.
      const hadRunOut = clock.monotonic() >= goodUntil;
      if (hadRunOut) await regain();
      goodUntil = before + leaseMs * TRUSTED_SHARE;
      if (hadRunOut) onTrusted();
      if (recovers && clock.monotonic() >= judgesFrom) await recover();
    } catch (error) {
      onError(error);
    }
    if (!closed) timer = setTimeout(() => void beat(), leaseMs / 3).unref();
  }

  /** Whoever could not reach the database cannot tell who died and who could not either: all get time to be heard again. */
  async function regain(): Promise<void> {
    if (goodUntil > 0) judgesFrom = clock.monotonic() + leaseMs;
    await onRegained();
  }

  async function recover(): Promise<void> {
    const result = await store.recover(clock.now() - leaseMs, maxCrashes, clock.now());
    // What was held back may have been left by a process that has died since.
    if (result.recovered + result.quarantined.length + result.poisoned.length > 0) onRecovered(result);
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    begun: beat(),
    held: () => clock.monotonic() < goodUntil,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
