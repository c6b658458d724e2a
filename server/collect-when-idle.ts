import { getHeapStatistics, setFlagsFromString } from "node:v8";
// It runs the word `gc`, never data.
// oxlint-disable-next-line no-restricted-imports
import { runInNewContext } from "node:vm";
import { createIdleCollector } from "./idle-collector.ts";

const CHECK_MS = 10_000;

/** Collects garbage whenever the process is idle and holds more memory than it needs. */
export function collectWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const check = createIdleCollector({
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heldBytes: () => getHeapStatistics().total_heap_size,
    usedBytes: () => getHeapStatistics().used_heap_size,
    collect: collectGarbage,
  });
  setInterval(check, CHECK_MS).unref();
}

let collect: (() => void) | undefined;

/** Only a context that is created after the flag is set has `gc`. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
