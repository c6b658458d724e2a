export interface CrashPoint {
  /** Number of the write at which the process crashes, from 0. */
  write: number;
  /** Whether the write is stored before the crash. */
  stored: boolean;
}

/** Runs the calls of a process until it crashes at a write: no call returns after that. */
export function createCrashingCalls(point: CrashPoint, onCrash: () => void) {
  let writes = 0;
  let dead = false;
  let inFlight = 0;
  const forever = new Promise<never>(() => undefined);

  return async function run<T>(isWrite: boolean, call: () => Promise<T>): Promise<T> {
    if (dead) return forever;
    if (isWrite && writes++ === point.write) dead = true;
    inFlight += 1;
    const answer = dead && !point.stored ? undefined : call();
    await answer?.catch(() => undefined);
    inFlight -= 1;
    if (!dead) return answer!;
    // The next process must not start while a write of the crashed one is in flight.
    if (inFlight === 0) onCrash();
    return forever;
  };
}
