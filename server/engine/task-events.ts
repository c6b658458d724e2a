import { EventEmitter } from "node:events";
import type { Engine, TaskEvent } from "./engine-api.ts";

export type TaskEvents = Pick<Engine, "watch" | "watchAll"> & {
  publish(taskId: string, event: TaskEvent): void;
};

/** For those who watch a task, or all of them, in this process. What is missed here can be read in the journal. */
export function createTaskEvents(): TaskEvents {
  const one = new EventEmitter().setMaxListeners(0);
  const all = new EventEmitter().setMaxListeners(0);
  return {
    publish(taskId, event) {
      one.emit(taskId, event);
      all.emit("event", taskId, event);
    },
    watch(taskId, listener) {
      one.on(taskId, listener);
      return () => one.off(taskId, listener);
    },
    watchAll(listener) {
      all.on("event", listener);
      return () => all.off("event", listener);
    },
  };
}
