import type { Clock } from "../lib/clock.ts";
import { createThrottledBatches, type ThrottledBatches } from "../lib/throttled-batches.ts";
import type { AccountDeletionStore } from "./account-deletion.sql.ts";

/** A feature that stores data of owners. Each function may run again after a crash. */
export interface OwnerData {
  /** Nothing of this owner begins any more: endpoints, webhooks, schedules, sessions. */
  stopOwner?(ownerId: string, batches: ThrottledBatches): Promise<void>;
  /** Deletes the rest, in throttled batches. */
  eraseOwner?(ownerId: string, batches: ThrottledBatches): Promise<void>;
}

export interface AccountDeletionDeps {
  store: Pick<AccountDeletionStore, "claimNext" | "extendClaim" | "finish">;
  /** In the order in which their data can be deleted. */
  features: readonly OwnerData[];
  clock: Clock;
  /** How long another process leaves a deletion to the one that claimed it; 0 without other processes. */
  claimMs: number;
  onError(error: unknown): void;
}

export interface AccountDeletion {
  /** Deletes the data of every account that waits for it. A call during a pass starts one more pass after it. */
  poll(): void;
  close(): Promise<void>;
}

const POLL_MS = 60_000;
const RETRY_MS = 30_000;
/** Some rows have a graph or a body of a megabyte, and one batch must not block the event loop for 50 ms. */
const BATCHES = { firstRows: 2, maxRows: 200 };

/** Works through the stored deletions, so that one that a crash interrupted is finished later. */
export function createAccountDeletion({
  store,
  features,
  clock,
  claimMs,
  onError,
}: AccountDeletionDeps): AccountDeletion {
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let again = false;
  const timer = setInterval(poll, POLL_MS).unref();

  function poll(): void {
    if (stopping.signal.aborted) return;
    if (working !== undefined) {
      again = true;
      return;
    }
    working = eraseAll()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        working = undefined;
        if (again) {
          again = false;
          poll();
        }
      });
  }

  async function eraseAll(): Promise<void> {
    for (;;) {
      const ownerId = await store.claimNext(clock.now(), clock.now() + claimMs);
      if (ownerId === undefined) return;
      await erase(ownerId).catch(async (error: unknown) => {
        if (stopping.signal.aborted) {
          // Another process may continue at once.
          await store.extendClaim(ownerId, 0);
          throw error;
        }
        onError(error);
        // Tried again later, so that it does not hold up the others.
        await store.extendClaim(ownerId, clock.now() + RETRY_MS);
      });
    }
  }

  async function erase(ownerId: string): Promise<void> {
    const extend = (): void => void store.extendClaim(ownerId, clock.now() + claimMs).catch(onError);
    const renewal = claimMs === 0 ? undefined : setInterval(extend, claimMs / 3).unref();
    try {
      const batches = () => createThrottledBatches(clock, stopping.signal, BATCHES);
      for (const feature of features) await feature.stopOwner?.(ownerId, batches());
      for (const feature of features) await feature.eraseOwner?.(ownerId, batches());
      await store.finish(ownerId);
    } finally {
      clearInterval(renewal);
    }
  }

  return {
    poll,
    async close() {
      stopping.abort();
      clearInterval(timer);
      await working;
    },
  };
}
