const LONG_MS = 10;

/** Tells whether a turn of the event loop, counted from the first time it is asked in it, has become a long one. */
export function createTurnWatch(now: () => number = () => performance.now()): () => boolean {
  let beganAt: number | undefined;
  return () => {
    if (beganAt === undefined) {
      beganAt = now();
      setImmediate(() => (beganAt = undefined));
      return false;
    }
    return now() - beganAt > LONG_MS;
  };
}
