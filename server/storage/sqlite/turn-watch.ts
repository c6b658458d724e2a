const LONG_MS = 10;

/** Returns whether the current turn of the event loop, timed from its first call, has taken too long. */
export function createTurnWatch(now: () => number = () => performance.now()): () => boolean {
  let startedAt: number | undefined;
  return () => {
    if (startedAt === undefined) {
      startedAt = now();
      setImmediate(() => (startedAt = undefined));
      return false;
    }
    return now() - startedAt > LONG_MS;
  };
}
