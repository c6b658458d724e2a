/** Whether something is to stop. A signal is made only for who asks for one: it costs as much as a step that computes. */
export interface Stop {
  readonly aborted: boolean;
  readonly signal: AbortSignal;
}

/** A class, so that it costs one small object a run. */
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
