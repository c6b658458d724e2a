import type { Clock } from "../../lib/clock.ts";
import type { StatusEntry } from "../journal/journal-entry.ts";
import { observeEntries, type RunObserver } from "../run-observer.ts";
import { type ErrorOwners, reportsFailure } from "../run/run.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "./engine-task.ts";
import type { TraceEnd } from "./trace-end.ts";
import { isFinal, type StepError } from "./task.ts";
import type { TaskEvents } from "./task-events.ts";

export interface FailTaskDeps {
  store: Pick<EngineStore, "state" | "heads" | "record">;
  clock: Clock;
  publish: TaskEvents["publish"];
  wake(taskId: string): void;
  /** Cancels the tasks that this one started. */
  cancelDescendants(task: EngineTask): Promise<void>;
  /** Ends what depends on the task before the task fails; called again when a crash interrupts it. */
  beforeFail: ((task: EngineTask, error: StepError) => Promise<void>) | undefined;
  errorOwners: ErrorOwners;
  observer: RunObserver | undefined;
  traceEnd: TraceEnd | undefined;
}

export type FailTask = (task: EngineTask, error: StepError) => Promise<void>;

/** Fails a task for a reason outside its steps: an internal error, or repeated crashes of its process. */
export function createFailTask({
  store,
  clock,
  publish,
  wake,
  cancelDescendants,
  beforeFail,
  errorOwners,
  observer,
  traceEnd,
}: FailTaskDeps): FailTask {
  async function hasEnded(taskId: string): Promise<boolean> {
    const stored = await store.state(taskId);
    return stored === undefined || isFinal(stored.status);
  }

  return async (task, error) => {
    // The error came after the task's end was stored: the end counts.
    if (await hasEnded(task.id)) return;
    await beforeFail?.(task, error);
    await cancelDescendants(task);
    const now = clock.now();
    const lastSeq = (await store.heads(task.id)).at(-1)?.seq ?? 0;
    // Two processes can fail a poisoned task at once. This check after the read of the journal gives both the same `seq`,
    // so that the second write stores nothing new.
    if (await hasEnded(task.id)) return;
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
      reportFailure: reportsFailure(task, errorOwners),
    });
    if (!recorded) return;
    if (observer !== undefined) observeEntries(observer, task, [entry]);
    traceEnd?.(task.id, "failed", error);
    publish(task.id, { seq: entry.seq, entry });
    if (wakeTask !== null) wake(wakeTask);
  };
}
