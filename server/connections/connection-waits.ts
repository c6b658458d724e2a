import { AppError } from "../lib/errors.ts";
import type { ListConnectionWaits } from "./connection-waits.sql.ts";
import type { ConnectionRecord } from "./connection.sql.ts";

export interface ConnectionWaitsDeps {
  list: ListConnectionWaits;
  retryNow(taskId: string, path: string): Promise<void>;
}

/** Runs that wait for the repair of a connection (`settings.onConnectionProblem`). */
export function createConnectionWaits({ list, retryNow }: ConnectionWaitsDeps) {
  return {
    async retry({ ownerId, id }: Pick<ConnectionRecord, "ownerId" | "id">): Promise<void> {
      for (const { taskId, path } of await list(ownerId, id))
        await retryNow(taskId, path).catch((error: unknown) => {
          // It has tried again or ended since it was listed.
          if (!(error instanceof AppError) || !error.code.startsWith("task_not")) throw error;
        });
    },
  };
}
