import { EventEmitter } from "node:events";
import type { Engine, TaskEvent } from "../engine-api.ts";
import type { EngineStore } from "../store.ts";

export type TaskEvents = Pick<Engine, "watch"> & {
  publish(taskId: string, event: TaskEvent): void;
  /** These may have been written to by another process: who watches them is told what is new in the journal. */
  readOn(taskIds: readonly string[] | "any"): void;
};

interface Watched {
  watchers: number;
  /** The last entry when the first began to watch, once that is known. */
  begunAt: Promise<number>;
  begun: number | undefined;
  /** The last entry that its watchers were told of. */
  told: number;
  /** What happened here and waits for what the journal has before it. */
  behind: TaskEvent | undefined;
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
    const follows = event.seq === null || task.begun === undefined || event.seq <= lastOf(task) + 1;
    if (follows) return tell(taskId, task, event);
    // Another process has written before us, and its hint is still under way: the journal has both in their order.
    task.behind = event;
    readOn(taskId);
  }

  function tell(taskId: string, task: Watched, event: TaskEvent): void {
    if (event.seq !== null) {
      if (event.seq <= task.told) return;
      task.told = event.seq;
    }
    channel.emit(taskId, event);
  }

  async function readNew(taskId: string, task: Watched): Promise<void> {
    await task.begunAt;
    for (;;) {
      task.again = false;
      const page = await store.heads(taskId, lastOf(task), PAGE);
      for (const entry of page) tell(taskId, task, { seq: entry.seq, entry });
      if (page.length < PAGE && !task.again) break;
    }
    task.reading = false;
  }

  function readOn(taskId: string): void {
    const task = watched.get(taskId);
    if (task === undefined) return;
    task.again = true;
    if (task.reading) return;
    task.reading = true;
    readNew(taskId, task).catch((error: unknown) => {
      task.reading = false;
      // Whoever sees the gap reads the journal for himself.
      if (task.behind !== undefined) tell(taskId, task, task.behind);
      onError(error);
    });
  }

  return {
    publish,
    readOn: (taskIds) => (taskIds === "any" ? [...watched.keys()] : taskIds).forEach(readOn),
    watch(taskId, listener) {
      const task = watched.get(taskId) ?? begin(taskId);
      task.watchers += 1;
      channel.on(taskId, listener);
      return () => {
        channel.off(taskId, listener);
        task.watchers -= 1;
        if (task.watchers === 0 && watched.get(taskId) === task) watched.delete(taskId);
      };
    },
  };

  function begin(taskId: string): Watched {
    const begunAt = store.lastSeq(taskId);
    const task: Watched = {
      watchers: 0,
      begunAt,
      begun: undefined,
      told: 0,
      behind: undefined,
      reading: false,
      again: false,
    };
    begunAt.then(
      (seq) => (task.begun = seq),
      () => undefined,
    );
    watched.set(taskId, task);
    return task;
  }
}

function lastOf({ begun = 0, told }: Watched): number {
  return Math.max(begun, told);
}
