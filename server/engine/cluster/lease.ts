import type { Clock } from "../../lib/clock.ts";
import type { EngineStore } from "../store.ts";

export interface LeaseHandlers {
  onRecovered(result: Awaited<ReturnType<EngineStore["recover"]>>): void;
  /** The lease had expired and is ours again. Drops runs whose tasks a peer claimed; the lease is not held before it resolves. */
  onRegained(): Promise<void>;
  /** The lease is held, for the first time or again: work may be claimed. */
  onHeld(): void;
}

export interface Lease {
  /** Resolves once the first heartbeat is stored. Before that, peers would treat our tasks as a dead process's. */
  start(handlers: LeaseHandlers): Promise<void>;
  /** Measured on the monotonic clock: a process that was suspended knows on resume that peers may own its tasks. */
  held(): boolean;
  close(): void;
}

/** A single process owns everything in its data folder: the folder lock is the lease. */
export const soleOwner: Lease = {
  start: () => Promise.resolve(),
  held: () => true,
  close: () => undefined,
};

/** We stop trusting the lease after this share of it; peers wait for all of it. The gap covers clock drift and slow writes. */
const TRUSTED_SHARE = 0.6;

export interface LeaseDeps {
  store: Pick<EngineStore, "heartbeat" | "recover">;
  workerId: string;
  leaseMs: number;
  clock: Clock;
  /** Whether this process recovers tasks of dead peers. */
  recovers: boolean;
  maxCrashes: number;
  onError(error: unknown): void;
}

/** Sends a heartbeat every third of the lease and recovers tasks of processes whose heartbeat is older than the lease. */
export function createLease({
  store,
  workerId,
  leaseMs,
  clock,
  recovers,
  maxCrashes,
  onError,
}: LeaseDeps): Lease {
  let heldUntil = 0;
  let recoversFrom = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function beat(handlers: LeaseHandlers): Promise<void> {
    // The lease counts from before the write: a slow heartbeat must not extend it.
    const sentAt = clock.monotonic();
    try {
      await store.heartbeat(workerId, clock.now());
      // No peer claims our tasks after this point; one may have before it.
      const hadExpired = clock.monotonic() >= heldUntil;
      if (hadExpired) await regain(handlers);
      heldUntil = sentAt + leaseMs * TRUSTED_SHARE;
      if (hadExpired) handlers.onHeld();
      if (recovers && clock.monotonic() >= recoversFrom) await recover(handlers);
    } catch (error) {
      onError(error);
    }
    if (!closed) timer = setTimeout(() => void beat(handlers), leaseMs / 3).unref();
  }

  /** After an outage every heartbeat is old, so dead and healthy peers look alike: peers get one lease to report again. */
  async function regain({ onRegained }: LeaseHandlers): Promise<void> {
    if (heldUntil > 0) recoversFrom = clock.monotonic() + leaseMs;
    await onRegained();
  }

  async function recover({ onRecovered }: LeaseHandlers): Promise<void> {
    const result = await store.recover(clock.now() - leaseMs, maxCrashes, clock.now());
    // Quarantined tasks count as well: the process that quarantined them may have died since.
    if (result.recovered + result.quarantined.length + result.poisoned.length > 0) onRecovered(result);
  }

  return {
    start: beat,
    held: () => clock.monotonic() < heldUntil,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
