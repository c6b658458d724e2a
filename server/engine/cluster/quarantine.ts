import type { EngineTask } from "../store.ts";

export interface QuarantineDeps {
  /** So long this process lives before it takes one up: kills from outside that come in quick succession blame nobody. */
  settleMs: number;
  /** Takes over a task that was held back; undefined when somebody else has, or it was cancelled. */
  claim(taskId: string): Promise<EngineTask | undefined>;
  work(task: EngineTask): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Tasks that were under way when the process died twice, without getting any further. One of them may be what kills
 * it; the others were only there. They run one at a time, so that the third death has one culprit.
 */
export function createQuarantine({ settleMs, claim, work, onError }: QuarantineDeps) {
  const waiting = new Set<string>();
  let working = false;
  let settled = settleMs === 0;
  const timer = setTimeout(() => {
    settled = true;
    begin();
  }, settleMs).unref();

  function begin(): void {
    if (settled && !working && waiting.size > 0) void workThrough();
  }

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
      begin();
    },
    /** The rest stays held back for the next process. */
    close() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
