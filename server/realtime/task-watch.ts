import type { TaskStatusEvent } from "../../contract/realtime.ts";
import type { TaskStatus } from "../../contract/tasks.ts";
import type { Engine, TaskEvent } from "../engine/engine-api.ts";
import { AppError } from "../lib/errors.ts";

export interface TaskWatchDeps {
  engine: Pick<Engine, "watch">;
  taskStatus(userId: string, taskId: string): Promise<TaskStatus>;
}

const MAX_WATCHED = 200;

/** One client's watched tasks. */
export function createTaskWatch(
  { engine, taskStatus }: TaskWatchDeps,
  userId: string,
  emit: (event: TaskStatusEvent) => void,
) {
  const watched = new Map<string, () => void>();

  function end(taskId: string): void {
    watched.get(taskId)?.();
    watched.delete(taskId);
  }

  return {
    /** Gives the status now; every change after it is emitted. */
    async begin(taskId: string): Promise<TaskStatus> {
      await taskStatus(userId, taskId);
      if (!watched.has(taskId)) {
        if (watched.size >= MAX_WATCHED)
          throw new AppError("too_many_watched", `One client watches ${MAX_WATCHED} tasks at most.`);
        watched.set(
          taskId,
          engine.watch(taskId, (event) => emit(toEvent(taskId, event))),
        );
      }
      // Read after the watch began: a change in between is in one of the two, never in neither.
      return taskStatus(userId, taskId);
    },
    end,
    endAll() {
      for (const taskId of watched.keys()) end(taskId);
    },
  };
}

function toEvent(taskId: string, event: TaskEvent): TaskStatusEvent {
  if (event.seq === null) return { taskId, status: "running", stepId: event.path, type: event.type };
  const { entry } = event;
  return {
    taskId,
    seq: entry.seq,
    status: entry.status,
    ...("path" in entry ? { stepId: entry.path, type: entry.type } : {}),
    ...("error" in entry && entry.error !== null ? { error: entry.error } : {}),
  };
}
