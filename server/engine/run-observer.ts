import type { JournalEntry } from "./journal/journal-entry.ts";
import type { EngineTask } from "./tasks/engine-task.ts";
import type { FinalStatus, Trigger } from "./tasks/task.ts";
import { TASK_LANE } from "./worker/lane.ts";

/** Receives what runs have recorded, for metrics. Called after the entries are durable; must not throw or wait. */
export interface RunObserver {
  /** `ms` is unknown for a task that ended outside its run. */
  runEnded(trigger: Trigger, outcome: FinalStatus, ms?: number): void;
  stepEnded(type: string, status: "completed" | "failed", ms: number): void;
  /** An attempt failed, and the next one is due later. */
  stepRetried(type: string): void;
}

/** Sessions and the ingestion of documents are tasks, too, but not runs of a workflow. */
export function observeEntries(
  observer: RunObserver,
  task: Pick<EngineTask, "lane" | "trigger" | "createdAt">,
  entries: readonly JournalEntry[],
): void {
  if (task.lane !== TASK_LANE) return;
  for (const entry of entries) {
    if (entry.kind === "step" && entry.status !== "skipped" && entry.startedAt !== null)
      observer.stepEnded(entry.type, entry.status, entry.at - entry.startedAt);
    else if (entry.kind === "attempt") observer.stepRetried(entry.type);
    else if (entry.kind === "status")
      observer.runEnded(task.trigger, entry.status, entry.at - task.createdAt);
  }
}
