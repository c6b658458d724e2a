import type { Engine } from "../engine/engine-api.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { ThrottledBatches } from "../lib/throttled-batches.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createPrunableSessions } from "../teams/store/session-retention.sql.ts";
import { dropExpiredEvents } from "../wait-events/wait-event.sql.ts";
import { dropUnusedSnapshots } from "../workflows/draft.sql.ts";
import { removeRecords } from "./remove-records.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { createRetention, type Retention, type RetentionDeps } from "./retention.ts";
import { createPrunableTasks, dropIdempotencyKeys, listOpenTasks, listTasks } from "./task-retention.sql.ts";

const BATCH_SIZE = 200;

export interface RetentionPartDeps extends Pick<
  RetentionDeps,
  "prunableRows" | "dropExpired" | "workspaceRetention"
> {
  blobs: BlobStore;
  engine: Engine;
  runFiles: Pick<RunFiles, "dropUnlinked">;
}

/** Deletes old tasks and sessions in the background; has no routes. */
export function createRetentionPart(
  { config, clock, db, report }: Platform,
  { blobs, engine, runFiles, prunableRows, dropExpired, workspaceRetention }: RetentionPartDeps,
): Part {
  let retention: Retention | undefined;
  return {
    async eraseOwner(ownerId, batches) {
      await cancelTasks(ownerId, batches);
      // Not hidden first: after a crash the rest must still be found by its owner, who can reopen nothing.
      const tasks = { ...createPrunableTasks(db), hide: () => Promise.resolve(true) };
      for (;;) {
        const owned = await batches.run(() => listTasks(db, ownerId, BATCH_SIZE));
        if (owned.length === 0) return;
        const removed = await removeRecords(tasks, owned, { batches, blobs });
        if (removed === 0) throw new Error("Tasks of a deleted account have not ended yet.");
      }
    },
    start() {
      retention = createRetention({
        tasks: createPrunableTasks(db),
        sessions: createPrunableSessions(db),
        dropIdempotencyKeys: (before, limit) => dropIdempotencyKeys(db, before, limit),
        dropUnlinkedFiles: runFiles.dropUnlinked,
        dropUnusedSnapshots: (before, limit) => dropUnusedSnapshots(db, before, limit),
        dropExpiredEvents: (before, limit) => dropExpiredEvents(db, before, limit),
        prunableRows,
        dropExpired,
        blobs,
        clock,
        retentionDays: config.retentionDays,
        workspaceRetention,
        compact: db.compact,
        onError: (error) => report(error, "deleting expired tasks and sessions"),
      });
    },
    close: async () => retention?.close(),
  };

  async function cancelTasks(ownerId: string, batches: ThrottledBatches): Promise<void> {
    for (;;) {
      const open = await batches.run(() => listOpenTasks(db, ownerId, BATCH_SIZE));
      for (const id of open) await engine.cancel(id);
      if (open.length === 0) return;
    }
  }
}
