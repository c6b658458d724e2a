import { type AbortSource, LazyAbortController } from "./abort-source.ts";

/** The longest delay that setTimeout takes, about 24.8 days; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface DeadlineOptions {
  /** Ends the deadline early when it is aborted. */
  outer?: AbortSource | null | undefined;
  /** What the deadline is aborted with when the time is over. */
  reason?(): unknown;
  /** What it is aborted with when `outer` is; by default, the reason of `outer`. */
  outerReason?(): unknown;
}

/** Aborted when the time is over or `outer` was aborted. */
export interface Deadline extends AbortSource {
  /** Created on first use: most races need none. */
  readonly signal: AbortSignal;
  /** Resolves when the deadline is aborted; never rejects. */
  readonly reached: Promise<undefined>;
  /** Calls the listener once, when the deadline is aborted; soon, if it is already. */
  onAbort(listener: () => void): void;
  /** The result of the work, or a rejection with the reason as soon as the deadline is over, even if the work ignores the signal. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Ends it early. */
  abort(reason?: unknown): void;
  /** Grants the whole time again, for work that makes progress. */
  restart(): void;
  /** Must be called when the work is done: otherwise the timer and the listener on `outer` stay. */
  clear(): void;
}

/** A timer that can be cleared, combined with an outer signal. Without `ms`, only the outer signal ends it. */
export function createDeadline(ms: number | undefined, options: DeadlineOptions = {}): Deadline {
  return new TimedAbort(ms, options);
}

class TimedAbort extends LazyAbortController implements Deadline {
  readonly #ms: number | undefined;
  readonly #options: DeadlineOptions;
  readonly #onOuterAbort = (): void => {
    const options = this.#options;
    this.abort(options.outerReason === undefined ? options.outer?.reason : options.outerReason());
  };
  #timer: NodeJS.Timeout | undefined;
  #reached: Promise<undefined> | undefined;

  constructor(ms: number | undefined, options: DeadlineOptions) {
    super();
    this.#ms = ms;
    this.#options = options;
    if (options.outer?.aborted) this.#onOuterAbort();
    else {
      this.#start();
      options.outer?.addEventListener("abort", this.#onOuterAbort);
    }
  }

  get reached(): Promise<undefined> {
    this.#reached ??= new Promise((resolve) => this.onAbort(() => resolve(undefined)));
    return this.#reached;
  }

  onAbort(listener: () => void): void {
    if (this.aborted) queueMicrotask(listener);
    else this.addEventListener("abort", listener);
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      this.onAbort(() => reject(this.reason));
    });
  }

  override abort(reason?: unknown): void {
    this.clear();
    super.abort(reason);
  }

  restart(): void {
    if (this.aborted) return;
    clearTimeout(this.#timer);
    this.#start();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#options.outer?.removeEventListener("abort", this.#onOuterAbort);
  }

  #start(): void {
    if (this.#ms !== undefined)
      this.#timer = setTimeout(
        () => this.abort(this.#options.reason === undefined ? timedOut() : this.#options.reason()),
        Math.min(this.#ms, LONGEST_TIMER_MS),
      );
  }
}

function timedOut(): DOMException {
  return new DOMException("The operation timed out.", "TimeoutError");
}
