import { EventEmitter } from "node:events";
import type { Engine, TaskEvent } from "./engine-api.ts";
import type { EngineStore } from "./store.ts";

export type TaskEvents = Pick<Engine, "watch"> & {
  publish(taskId: string, event: TaskEvent): void;
  /** These may have been written to by another process: who watches them is told what is new in the journal. */
  readOn(taskIds: readonly string[] | "any"): void;
};

interface Watched {
  watchers: number;
  /** The last entry that its watchers know of: when the first began to watch, or was told since. */
  seen: number | undefined;
  begunAt: Promise<number>;
  reading: boolean;
  again: boolean;
}

const PAGE = 200;

/** For those who watch a task in this process. What is missed here can be read in the journal. */
export function createTaskEvents(
  store: Pick<EngineStore, "heads" | "lastSeq">,
  onError: (error: unknown) => void,
): TaskEvents {
  const channel = new EventEmitter().setMaxListeners(0);
  const watched = new Map<string, Watched>();

  function publish(taskId: string, event: TaskEvent): void {
    const task = watched.get(taskId);
    if (task === undefined) return;
    if (event.seq !== null) task.seen = Math.max(task.seen ?? 0, event.seq);
    channel.emit(taskId, event);
  }

  async function readNew(taskId: string, task: Watched): Promise<void> {
    const begunAt = await task.begunAt;
    for (;;) {
      task.again = false;
      const page = await store.heads(taskId, Math.max(begunAt, task.seen ?? 0), PAGE);
      for (const entry of page) publish(taskId, { seq: entry.seq, entry });
      if (page.length < PAGE && !task.again) return;
    }
  }

  function readOn(taskId: string): void {
    const task = watched.get(taskId);
    if (task === undefined) return;
    task.again = true;
    if (task.reading) return;
    task.reading = true;
    void readNew(taskId, task)
      .catch(onError)
      .finally(() => (task.reading = false));
  }

  return {
    publish,
    readOn: (taskIds) => (taskIds === "any" ? [...watched.keys()] : taskIds).forEach(readOn),
    watch(taskId, listener) {
      let task = watched.get(taskId);
      if (task === undefined) {
        const begunAt = store.lastSeq(taskId);
        begunAt.catch(() => undefined);
        task = { watchers: 0, seen: undefined, begunAt, reading: false, again: false };
        watched.set(taskId, task);
      }
      task.watchers += 1;
      channel.on(taskId, listener);
      return () => {
        channel.off(taskId, listener);
        task.watchers -= 1;
        if (task.watchers === 0 && watched.get(taskId) === task) watched.delete(taskId);
      };
    },
  };
}
