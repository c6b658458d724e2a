import type { LiveRuns } from "../worker/live-runs.ts";
import type { EngineStore } from "../store.ts";

/** Looks whether a task that is worked on here is still ours. */
export type CheckRun = (taskId: string) => Promise<void>;

/** Cancelled or taken over: our run of it is in vain. Decided, or its child has ended: it goes on. */
export function createCheckRun(store: Pick<EngineStore, "epoch">, live: LiveRuns): CheckRun {
  return async (taskId) => {
    const run = live.get(taskId);
    if (run === undefined || !(await run.stored)) return;
    if ((await store.epoch(taskId)) === run.epoch) run.wake();
    else run.abort.abort();
  };
}
