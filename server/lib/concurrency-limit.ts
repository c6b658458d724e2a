/**
 * Runs at most `maxConcurrent` jobs at the same time; the others wait in the order of their calls. A job whose signal
 * is aborted while it waits leaves the queue and never starts.
 */
export function createConcurrencyLimit(maxConcurrent: number) {
  const queue: (() => void)[] = [];
  let running = 0;

  function waitInQueue(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        queue.splice(queue.indexOf(start), 1);
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      queue.push(start);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  return async function runLimited<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    // A finished job passes its slot on without releasing it, so a later call cannot overtake the queue.
    if (running >= maxConcurrent) await waitInQueue(signal);
    else running += 1;
    try {
      return await job();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
