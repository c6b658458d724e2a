import type { Clock } from "../../lib/clock.ts";

export interface DueLoop {
  /** Looks for due work now, and then whenever the next is due. */
  poll(): void;
  close(): Promise<void>;
}

export interface DueLoopDeps {
  clock: Clock;
  /** Takes up what is due; true when there may be more than could be taken. */
  takeDue(): Promise<boolean>;
  nextDue(): Promise<number | null>;
  onError(error: unknown): void;
}

/** The database is the truth; this only says when to look. Also the pause after an error. */
const LONGEST_PAUSE_MS = 10_000;
const AFTER_ERROR_MS = 1000;

/** One timer for all that waits: ten thousand approvals and delays cost nothing here. */
export function createDueLoop({ clock, takeDue, nextDue, onError }: DueLoopDeps): DueLoop {
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let again = false;
  let closed = false;

  function poll(): void {
    if (closed) return;
    if (polling !== undefined) {
      again = true;
      return;
    }
    clearTimeout(timer);
    polling = pollOnce()
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
    // With more due than we can take, the next look comes when a place is free.
    if (await takeDue()) return LONGEST_PAUSE_MS;
    const due = await nextDue();
    return due === null ? LONGEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Math.max(1, due - clock.now()));
  }

  return {
    poll,
    async close() {
      closed = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
