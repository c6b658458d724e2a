import type { EngineTask } from "../tasks/engine-task.ts";

export interface QuarantineDeps {
  /** Uptime before the first task runs: external kills in quick succession must not be blamed on a task. */
  settleMs: number;
  onError(error: unknown): void;
}

export interface QuarantineHandlers {
  /** Undefined when a peer has claimed the task or it was cancelled. */
  claim(taskId: string): Promise<EngineTask | undefined>;
  run(task: EngineTask): Promise<void>;
}

/**
 * Tasks that were running during two crashes without progress in between. One of them may be the cause, the others were
 * only present. They run one at a time, so that a third crash identifies the cause.
 */
export function createQuarantine({ settleMs, onError }: QuarantineDeps) {
  const waiting = new Set<string>();
  let isRunning = false;
  let settled = settleMs === 0;
  let timer: NodeJS.Timeout | undefined;
  let handlers: QuarantineHandlers | undefined;

  function runNext(): void {
    if (settled && !isRunning && waiting.size > 0 && handlers !== undefined) void runAll(handlers);
  }

  async function runAll({ claim, run }: QuarantineHandlers): Promise<void> {
    isRunning = true;
    for (const id of waiting) {
      try {
        const task = await claim(id);
        if (task !== undefined) await run(task);
      } catch (error) {
        onError(error);
      }
      waiting.delete(id);
    }
    isRunning = false;
  }

  return {
    start(given: QuarantineHandlers): void {
      handlers = given;
      timer = setTimeout(() => {
        settled = true;
        runNext();
      }, settleMs).unref();
    },
    add(taskIds: readonly string[]): void {
      for (const id of taskIds) waiting.add(id);
      runNext();
    },
    /** Waiting tasks stay quarantined for the next process. */
    close() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
