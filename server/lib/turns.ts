/** Lets at most `atOnce` jobs run at the same time; the others wait for their turn, first come first served. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<T>(job: () => Promise<T>): Promise<T> {
    // A place that becomes free is handed on, so nobody who comes later can slip in between.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
