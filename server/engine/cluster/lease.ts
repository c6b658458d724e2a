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
  /**
   * Whether a step may start or a task be claimed; the end of a step is recorded without it. Measured on the monotonic
   * clock: a process that was suspended knows on resume that peers may own its tasks.
   */
  held(): boolean;
  /** Whether another process can run tasks, as of the last heartbeat. */
  hasPeers(): boolean;
  /** Processes on this database, with this one, as of the last heartbeat. */
  processes(): number;
  close(): void;
}

/** A single process owns everything in its data folder: the folder lock is the lease. */
export const soleOwner: Lease = {
  start: () => Promise.resolve(),
  held: () => true,
  hasPeers: () => false,
  processes: () => 1,
  close: () => undefined,
};

/** We start nothing after this share of the lease; peers wait for all of it. The gap covers clock drift and slow writes. */
const TRUSTED_SHARE = 0.6;

export interface LeaseDeps {
  store: Pick<EngineStore, "heartbeat" | "recover">;
  workerId: string;
  leaseMs: number;
  clock: Clock;
  /** Tasks that this process runs at once. One without slots recovers no tasks of dead peers. */
  slots: number;
  maxCrashes: number;
  onError(error: unknown): void;
}

/** Sends a heartbeat every third of the lease and recovers tasks of processes whose heartbeat is older than the lease. */
export function createLease({
  store,
  workerId,
  leaseMs,
  clock,
  slots,
  maxCrashes,
  onError,
}: LeaseDeps): Lease {
  /** By the newest stored heartbeat; 0 before the first one. */
  let trustedUntil = 0;
  /** How often a heartbeat found the lease expired, and up to which of these the runs have been checked. */
  let expiries = 0;
  let checkedExpiries = 0;
  /** The last heartbeat was not stored. */
  let hasFailed = false;
  let alive = { processes: 1, workers: 0 };
  let recoversFrom = 0;
  let isRecovering = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const held = (): boolean => checkedExpiries === expiries && clock.monotonic() < trustedUntil;

  async function beat(handlers: LeaseHandlers): Promise<void> {
    // The lease counts from before the write: a slow heartbeat must not extend it.
    const sentAt = clock.monotonic();
    let afterwards: Promise<void> | undefined;
    try {
      const now = clock.now();
      alive = await store.heartbeat(workerId, now, { slots, aliveSince: now - leaseMs });
      // No peer claims our tasks after this point; one may have before it.
      const hadExpired = clock.monotonic() >= trustedUntil;
      // After an outage every heartbeat is old, so dead and healthy peers look alike: they get one lease to report again,
      // also at the first heartbeat: a process may start just when an outage ends.
      const wasLate = hasFailed || clock.monotonic() - sentAt > leaseMs / 3;
      if (hadExpired || wasLate) recoversFrom = clock.monotonic() + leaseMs;
      hasFailed = false;
      trustedUntil = sentAt + leaseMs * TRUSTED_SHARE;
      afterwards = hadExpired ? regain(handlers) : recover(handlers);
    } catch (error) {
      hasFailed = true;
      onError(error);
    }
    const pauseMs = Math.max(0, leaseMs / 3 - (clock.monotonic() - sentAt));
    if (!closed) timer = setTimeout(() => void beat(handlers), pauseMs).unref();
    // Not awaited before the next heartbeat: these use the connections of everyone, and a busy pool may delay them.
    await afterwards?.catch(onError);
  }

  async function regain(handlers: LeaseHandlers): Promise<void> {
    const expiry = ++expiries;
    try {
      await handlers.onRegained();
    } catch (error) {
      // The next heartbeat checks the runs again.
      trustedUntil = Math.min(trustedUntil, clock.monotonic());
      throw error;
    }
    // It may have expired again during the check; then a later check decides.
    checkedExpiries = Math.max(checkedExpiries, expiry);
    if (held()) handlers.onHeld();
  }

  async function recover({ onRecovered }: LeaseHandlers): Promise<void> {
    if (slots === 0 || isRecovering || clock.monotonic() < recoversFrom) return;
    isRecovering = true;
    try {
      const result = await store.recover(clock.now() - leaseMs, maxCrashes, clock.now());
      // Quarantined tasks count as well: the process that quarantined them may have died since.
      if (result.recovered + result.quarantined.length + result.poisoned.length > 0) onRecovered(result);
    } finally {
      isRecovering = false;
    }
  }

  return {
    start: beat,
    held,
    hasPeers: () => alive.workers > 0,
    processes: () => alive.processes,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
