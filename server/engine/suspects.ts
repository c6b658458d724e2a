import type { EngineTask } from "./store.ts";

export interface SuspectsDeps {
  /** Takes over a task that was held back; undefined when somebody else has, or it was cancelled. */
  claim(taskId: string): Promise<EngineTask | undefined>;
  work(task: EngineTask): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Tasks that were under way when the process died twice, without getting any further. One of them may be what kills
 * it; the others were only there. They run one at a time, so that the third death has one culprit.
 */
export function createSuspects({ claim, work, onError }: SuspectsDeps) {
  const waiting = new Set<string>();
  let working = false;

  async function workThrough(): Promise<void> {
    working = true;
    for (const id of waiting) {
      try {
        const task = await claim(id);
        if (task !== undefined) await work(task);
      } catch (error) {
        onError(error);
      }
      waiting.delete(id);
    }
    working = false;
  }

  return {
    add(taskIds: readonly string[]): void {
      for (const id of taskIds) waiting.add(id);
      if (!working && waiting.size > 0) void workThrough();
    },
    /** The rest stays held back for the next process. */
    close: () => waiting.clear(),
  };
}
