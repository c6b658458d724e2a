import type { Clock } from "../../lib/clock.ts";

export interface DueLoop {
  /** Looks for due work now, and then whenever the next is due. */
  look(): void;
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
  let looking: Promise<void> | undefined;
  let again = false;
  let closed = false;

  function look(): void {
    if (closed) return;
    if (looking !== undefined) {
      again = true;
      return;
    }
    clearTimeout(timer);
    looking = lookOnce()
      .catch((error: unknown) => {
        onError(error);
        return AFTER_ERROR_MS;
      })
      .then((pauseMs) => {
        looking = undefined;
        if (closed) return;
        if (again) {
          again = false;
          look();
        } else {
          timer = setTimeout(look, pauseMs);
          timer.unref();
        }
      });
  }

  async function lookOnce(): Promise<number> {
    // With more due than we can take, the next look comes when a place is free.
    if (await takeDue()) return LONGEST_PAUSE_MS;
    const due = await nextDue();
    return due === null ? LONGEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Math.max(1, due - clock.now()));
  }

  return {
    look,
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
