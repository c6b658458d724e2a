/** A cancellation flag. The signal is created on first use, because one costs as much as a pure step. */
export interface Stop {
  readonly aborted: boolean;
  readonly signal: AbortSignal;
}

/** A class, so that a run allocates one small object for it. */
export class Stopper implements Stop {
  aborted = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }
}

export function stopBy(signal: AbortSignal): Stop {
  return {
    signal,
    get aborted() {
      return signal.aborted;
    },
  };
}
