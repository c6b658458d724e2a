import type { TaskStatusEvent } from "../../contract/realtime.ts";
import type { TaskStatus } from "../../contract/tasks.ts";
import type { Engine, TaskEvent } from "../engine/engine-api.ts";
import type { EntryHead } from "../engine/journal/journal-entry.ts";
import { AppError } from "../lib/errors.ts";
import { createLogFollower, type LogFollower } from "../lib/log-follower.ts";

export interface TaskWatchDeps {
  engine: Pick<Engine, "watch" | "events">;
  taskStatus(userId: string, taskId: string): Promise<TaskStatus>;
  onError(error: unknown): void;
}

const MAX_WATCHED = 200;

/** The tasks that one client watches. */
export function createTaskWatch(
  { engine, taskStatus, onError }: TaskWatchDeps,
  userId: string,
  emit: (event: TaskStatusEvent) => void,
) {
  const watched = new Map<string, () => void>();

  /** The first entry after the subscription is the first one delivered; later gaps are filled from the journal. */
  function follow(taskId: string): () => void {
    let journal: LogFollower<EntryHead> | undefined;
    const unwatch = engine.watch(taskId, (event) => {
      if (event.seq === null) return emit(toEvent(taskId, event));
      journal ??= createLogFollower<EntryHead>({
        after: event.seq - 1,
        read: (after, limit) => engine.events(taskId, after, limit),
        deliver: (entry) => emit(toEvent(taskId, { seq: entry.seq, entry })),
        onError,
      });
      journal.push(event.entry);
    });
    return () => {
      unwatch();
      journal?.close();
    };
  }

  function end(taskId: string): void {
    watched.get(taskId)?.();
    watched.delete(taskId);
  }

  return {
    /** Returns the current status; every later change is emitted. */
    async begin(taskId: string): Promise<TaskStatus> {
      await taskStatus(userId, taskId);
      if (!watched.has(taskId)) {
        if (watched.size >= MAX_WATCHED)
          throw new AppError("too_many_watched", `A client can watch at most ${MAX_WATCHED} tasks.`);
        watched.set(taskId, follow(taskId));
      }
      // Read after the subscription: a change in between is in the status, in an event, or in both.
      return taskStatus(userId, taskId);
    },
    end,
    endAll() {
      for (const taskId of watched.keys()) end(taskId);
    },
  };
}

function toEvent(taskId: string, event: TaskEvent): TaskStatusEvent {
  if (event.seq === null)
    return {
      taskId,
      status: "running",
      stepId: event.path,
      type: event.type,
      ...(event.line === undefined ? {} : { log: event.line }),
    };
  const { entry } = event;
  return {
    taskId,
    seq: entry.seq,
    status: entry.status,
    ...("path" in entry ? { stepId: entry.path, type: entry.type } : {}),
    ...("error" in entry && entry.error !== null ? { error: entry.error } : {}),
  };
}
