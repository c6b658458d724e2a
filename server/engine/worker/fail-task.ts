import type { Clock } from "../../lib/clock.ts";
import type { StatusEntry } from "../journal/journal-entry.ts";
import type { EngineStore, EngineTask } from "../store.ts";
import { isFinal, type StepError } from "../tasks/task.ts";
import type { TaskEvents } from "../tasks/task-events.ts";

export interface FailTaskDeps {
  store: EngineStore;
  clock: Clock;
  publish: TaskEvents["publish"];
  /** The task may be able to go on: in this process at once. */
  wake(taskId: string): void;
  beforeFail?(task: EngineTask, error: StepError): Promise<void>;
}

/** Fails a task for a reason that no step of it has: a fault of ours, or that it takes processes down. */
export async function failTask(
  task: EngineTask,
  error: StepError,
  { store, clock, publish, wake, beforeFail }: FailTaskDeps,
): Promise<void> {
  const stored = await store.task(task.id);
  // The fault came after its end was stored: that counts.
  if (stored === undefined || isFinal(stored.status)) return;
  await beforeFail?.(task, error);
  const now = clock.now();
  const lastSeq = (await store.heads(task.id)).at(-1)?.seq ?? 0;
  const entry: StatusEntry = { seq: lastSeq + 1, kind: "status", status: "failed", error, at: now };
  const wakeTask = task.parentStep === null ? null : task.parentTaskId;
  const recorded = await store.record({
    task,
    entries: [entry],
    change: {
      status: "failed",
      runAt: null,
      seenWake: null,
      result: null,
      resultRef: null,
      error,
      completedAt: now,
    },
    ...(wakeTask === null ? {} : { wakeTask }),
  });
  if (!recorded) return;
  publish(task.id, { seq: entry.seq, entry });
  if (wakeTask !== null) wake(wakeTask);
}
