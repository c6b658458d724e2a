import type { EngineStore } from "../../engine/store.ts";
import { createBatcher, type Pending } from "../../lib/batcher.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../db.ts";
import { existingTask } from "./insert-task.ts";
import type { EventOwners } from "./run-events.ts";
import { type GroupWrite, writeGroup } from "./write-group.ts";

/** For a server, fewer and larger transactions: 0.3 instead of 0.4 of them for a call with three `http` steps. */
const BESIDE = { maxInFlight: 8, maxWaitMs: 20 };

/**
 * Collects the writes of all runs while earlier ones are in flight and sends them as one group. Without it each write is
 * its own batch, which only the database groups. On SQLite twenty effects at once then cost 3 to 13 % more CPU a
 * call; three steps in a row cost between 8 % less and 6 % more, by the load of the machine (npm run bench:commit).
 */
export function createWriteQueue(db: Db, eventOwners: EventOwners): Pick<EngineStore, "accept" | "record"> {
  const queue = createBatcher<GroupWrite, boolean>({
    send,
    concurrency: db.writers,
    beside: BESIDE,
    collectTurn: true,
  });

  async function send(batch: readonly Pending<GroupWrite, boolean>[]): Promise<void> {
    try {
      await sendGroup(batch);
    } catch (error) {
      // A passing fault, such as a full disk, concerns the whole group. Any other is one write's own: only that may fail.
      const isTransient = error instanceof AppError && error.retryable;
      if (isTransient || batch.length === 1) throw error;
      for (const pending of batch) await sendGroup([pending]).catch(pending.reject);
    }
  }

  async function sendGroup(batch: readonly Pending<GroupWrite, boolean>[]): Promise<void> {
    const stored = await writeGroup(
      db,
      batch.map(({ item }) => item),
      eventOwners,
    );
    batch.forEach(({ resolve }, index) => resolve(stored[index]!));
  }

  return {
    record: queue.add,
    accept: async (task, first) =>
      (await queue.add({ task, first })) ? { inserted: true } : existingTask(db, task),
  };
}
