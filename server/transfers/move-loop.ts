const POLL_MS = 30_000;

/** Continues moves in the background, one pass at a time: after the start, every half minute and when asked. */
export function createMoveLoop(moveAll: () => Promise<void>, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> | undefined;

  function poll(): void {
    if (stopping.signal.aborted || timer === undefined) return;
    pass ??= moveAll()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => (pass = undefined));
  }

  return {
    /** Aborted when the service stops. */
    signal: stopping.signal,
    poll,
    start(): void {
      timer = setInterval(poll, POLL_MS).unref();
      poll();
    },
    async close(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await pass;
    },
  };
}
