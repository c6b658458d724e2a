/**
 * Lets at most `atOnce` jobs run at the same time; the others wait for their turn, first come first served. Who is
 * aborted while he waits leaves the line.
 */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  function waitInLine(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  return async function inTurn<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    // A place that becomes free is handed on, so nobody who comes later can slip in between.
    if (running >= atOnce) await waitInLine(signal);
    else running += 1;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
