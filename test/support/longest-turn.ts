import { existsSync, readFileSync } from "node:fs";

const SCHEDULE = "/proc/thread-self/schedstat";

/** CPU time of this thread. On systems without it, the clock, which also counts other programs. */
function workedMs(): number {
  if (!existsSync(SCHEDULE)) return performance.now();
  return Number(readFileSync(SCHEDULE, "utf8").split(" ", 1)[0]) / 1e6;
}

/** Returns the longest CPU time between two turns of the event loop, as a share of all CPU time of this thread. */
export function watchLongestTurn(): () => number {
  let longest = 0;
  const start = workedMs();
  let before = start;
  const endTurn = (): void => {
    const now = workedMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(endTurn, 1);
  return () => {
    clearInterval(timer);
    // The caller may continue in the turn that took longest.
    endTurn();
    return longest / (before - start);
  };
}
