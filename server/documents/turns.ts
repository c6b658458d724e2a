/** Lets `limit` holders in at a time, in the order in which they came. */
export function createTurns(limit: number): (signal: AbortSignal) => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  return async (signal) => {
    signal.throwIfAborted();
    if (taken < limit) taken += 1;
    else
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        const enter = (): void => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        waiting.push(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    return release;
  };
}
