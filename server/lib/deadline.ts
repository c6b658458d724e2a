/** The longest delay that setTimeout takes, about 24.8 days; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface DeadlineOptions {
  /** Ends the deadline early when it is aborted. */
  outer?: AbortSignal | null | undefined;
  /** What the signal is aborted with when the time is over. */
  reason?: () => unknown;
  /** What it is aborted with when `outer` is; by default, the reason of `outer`. */
  outerReason?: () => unknown;
}

export interface Deadline {
  /** Aborted when the time is over or `outer` was aborted. Created on first use: most races need none. */
  readonly signal: AbortSignal;
  /** Resolves when the signal would be aborted; never rejects. */
  readonly reached: Promise<undefined>;
  isOver(): boolean;
  /** The result of the work, or a rejection with the reason as soon as the deadline is over, even if the work ignores the signal. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Grants the whole time again, for work that makes progress. */
  restart(): void;
  /** Must be called when the work is done: otherwise the timer and the listener on `outer` stay. */
  clear(): void;
}

/** A timer that can be cleared, combined with an outer signal. Without `ms`, only the outer signal ends it. */
export function createDeadline(
  ms: number | undefined,
  { outer, reason = timedOut, outerReason = () => outer?.reason as unknown }: DeadlineOptions = {},
): Deadline {
  let over: { reason: unknown } | undefined;
  let controller: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  let settle: (value: undefined) => void = () => undefined;
  const reached = new Promise<undefined>((resolve) => (settle = resolve));

  function end(why: unknown): void {
    if (over !== undefined) return;
    over = { reason: why };
    clear();
    controller?.abort(why);
    settle(undefined);
  }

  function clear(): void {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onOuterAbort);
  }

  function onOuterAbort(): void {
    end(outerReason());
  }

  function start(): void {
    if (ms !== undefined) timer = setTimeout(() => end(reason()), Math.min(ms, LONGEST_TIMER_MS));
  }

  if (outer?.aborted) onOuterAbort();
  else {
    start();
    outer?.addEventListener("abort", onOuterAbort, { once: true });
  }

  return {
    reached,
    isOver: () => over !== undefined,
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (over !== undefined) controller.abort(over.reason);
      }
      return controller.signal;
    },
    race: (work) =>
      Promise.race([
        work,
        reached.then(() => {
          throw over?.reason;
        }),
      ]),
    restart() {
      if (over !== undefined) return;
      clearTimeout(timer);
      start();
    },
    clear,
  };
}

function timedOut(): DOMException {
  return new DOMException("The operation timed out.", "TimeoutError");
}
