/** Lets one waiter sleep until something happens; what happened while it was awake is not lost. */
export interface WakeUp {
  wake(): void;
  /** Resolves at the next `wake`, at once when one came since the last call, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let isPending = false;
  let resolveNext: () => void = () => undefined;
  return {
    wake() {
      isPending = true;
      resolveNext();
    },
    async next(signal) {
      if (!isPending && !signal.aborted)
        await new Promise<void>((resolve) => {
          resolveNext = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      isPending = false;
    },
  };
}
