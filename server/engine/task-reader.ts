import { setTimeout as sleep } from "node:timers/promises";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import { notFound } from "../lib/errors.ts";
import { createTimeLimit } from "../lib/time-limit.ts";
import type { Engine } from "./engine-api.ts";
import type { LiveRuns } from "./live-runs.ts";
import { loadValue } from "./outputs.ts";
import { stepResultsOf } from "./step-results.ts";
import type { EngineStore } from "./store.ts";
import { isFinal, type Task, type TaskResult } from "./task.ts";

const FIRST_REREAD_MS = 5;
const REREAD_MS = 500;
const NOTHING_RUNS = new Map<string, never>();

export type TaskReader = Pick<Engine, "read" | "settled" | "outputsOf"> & {
  task(taskId: string): Promise<Task>;
};

/** Reading tasks back: whole, when they have settled, or a few of their outputs. */
export function createTaskReader({
  store,
  blobs,
  live,
  isClosed,
}: {
  store: EngineStore;
  blobs: BlobStore;
  live: LiveRuns;
  /** The process is stopping: what does not run here any more is for the next one, and nobody waits for it here. */
  isClosed(): boolean;
}): TaskReader {
  async function task(taskId: string): Promise<Task> {
    const stored = await store.task(taskId);
    if (stored === undefined) throw notFound("task");
    const { resultRef, options: _options, ...rest } = stored;
    return resultRef === null
      ? rest
      : { ...rest, result: JSON.parse(await blobs.get(resultRef)) as TaskResult };
  }

  async function withSteps(taskId: string) {
    const entries = await store.ownEntries(taskId);
    return {
      task: await task(taskId),
      stepResults: await stepResultsOf(entries, live.running(taskId), blobs),
    };
  }

  return {
    task,
    read: async (taskId) => ((await store.task(taskId)) === undefined ? undefined : withSteps(taskId)),

    async settled(taskId, timeoutMs, signal) {
      const limit = createTimeLimit(timeoutMs, signal);
      try {
        for (let pauseMs = FIRST_REREAD_MS; ; pauseMs = Math.min(REREAD_MS, pauseMs * 2)) {
          const finished = await Promise.race([live.left(taskId), limit.reached]);
          if (finished !== undefined) {
            return {
              task: finished.task,
              stepResults: await stepResultsOf(finished.entries, NOTHING_RUNS, blobs),
            };
          }
          const { status } = await task(taskId);
          const handedOver = isClosed() && live.get(taskId) === undefined;
          if (isFinal(status) || status === "waiting_approval" || limit.isOver() || handedOver)
            return await withSteps(taskId);
          // It is not here: parked, queued, or in another process. Its row is read now and then.
          if (live.get(taskId) === undefined) {
            await Promise.race([sleep(pauseMs, undefined, { ref: false }), limit.reached]);
          }
        }
      } finally {
        limit.clear();
      }
    },

    async outputsOf(taskId, stepIds) {
      const outputs: Record<string, JsonValue> = {};
      for (const stored of await store.outputs(taskId, stepIds))
        outputs[stored.path] = await loadValue(stored, blobs);
      return outputs;
    },
  };
}
