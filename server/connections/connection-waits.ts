import { AppError } from "../lib/errors.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import type { ListConnectionWaits } from "./connection-waits.sql.ts";
import type { ConnectionRecord } from "./connection.sql.ts";

export interface ConnectionWaitsDeps {
  list: ListConnectionWaits;
  retryNow(taskId: string, path: string): Promise<void>;
  /** One job of an owner at a time. */
  queue: Pick<FairQueue, "run">;
  onError(error: unknown): void;
}

/** Runs that wait for the repair of a connection (`settings.onConnectionProblem`). */
export function createConnectionWaits({ list, retryNow, queue, onError }: ConnectionWaitsDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  /** Connections whose turn has not come: it will find all runs that wait until then. */
  const queued = new Set<string>();

  async function retryAll(ownerId: string, connectionId: string): Promise<void> {
    queued.delete(connectionId);
    for (let after: string | undefined = ""; after !== undefined;) {
      const { waits, next } = await list(ownerId, connectionId, after);
      for (const { taskId, path } of waits) {
        if (signal.aborted) return;
        await retryNow(taskId, path).catch((error: unknown) => {
          // It has tried again or ended since it was listed.
          if (!(error instanceof AppError) || !error.code.startsWith("task_not")) throw error;
        });
      }
      after = next;
    }
  }

  return {
    /** In the background: there may be thousands of runs. */
    retry({ ownerId, id }: Pick<ConnectionRecord, "ownerId" | "id">): void {
      if (signal.aborted || queued.has(id)) return;
      queued.add(id);
      const ended = queue
        .run(ownerId, () => retryAll(ownerId, id), { signal })
        .catch((error: unknown) => {
          queued.delete(id);
          if (!signal.aborted) onError(error);
        })
        .finally(() => running.delete(ended));
      running.add(ended);
    },

    /** Ends after the run that is being retried. */
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
