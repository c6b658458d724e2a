import { AsyncResource } from "node:async_hooks";
import type { Clock } from "../../lib/clock.ts";

export interface DueLoop {
  /** Polls for due work now, and again whenever the next item is due. */
  poll(): void;
  close(): Promise<void>;
}

export interface DueLoopDeps {
  clock: Clock;
  /** Claims what is due; true when more may be due than could be claimed. */
  takeDue(): Promise<boolean>;
  nextDue(): Promise<number | null>;
  onError(error: unknown): void;
}

/** Upper bound for a missed hint: a due row is found at the latest after this pause. */
const LONGEST_PAUSE_MS = 10_000;
const AFTER_ERROR_MS = 1000;

/** One timer for everything that waits: ten thousand approvals and delays need no memory here. */
export function createDueLoop({ clock, takeDue, nextDue, onError }: DueLoopDeps): DueLoop {
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let again = false;
  let closed = false;

  function poll(): void {
    if (closed) return;
    if (polling !== undefined) {
      // Work that became due after the current poll read the rows would wait for the timer otherwise.
      again = true;
      return;
    }
    clearTimeout(timer);
    polling = detached()
      .catch((error: unknown) => {
        onError(error);
        return AFTER_ERROR_MS;
      })
      .then((pauseMs) => {
        polling = undefined;
        if (closed) return;
        if (again) {
          again = false;
          poll();
        } else {
          timer = setTimeout(poll, pauseMs);
          timer.unref();
        }
      });
  }

  async function pollOnce(): Promise<number> {
    // With more due than free slots, the next poll comes when a slot is released.
    if (await takeDue()) return LONGEST_PAUSE_MS;
    // The next poll follows at once.
    if (again) return 0;
    const due = await nextDue();
    return due === null ? LONGEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Math.max(1, due - clock.now()));
  }

  // A poll serves everyone: it has not the trace of the request that asked for it.
  const detached = AsyncResource.bind(pollOnce);

  return {
    poll,
    async close() {
      closed = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
