import type { BlobStore } from "../lib/blob-store.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createPrunableSessions } from "../teams/store/session-retention.sql.ts";
import { createRetention, type Retention } from "./retention.ts";
import { createPrunableTasks, dropIdempotencyKeys } from "./task-retention.sql.ts";

/** Deletes old tasks and sessions in the background; has no routes. */
export function createRetentionPart({ config, clock, db, report }: Platform, blobs: BlobStore): Part {
  let retention: Retention | undefined;
  return {
    start() {
      retention = createRetention({
        tasks: createPrunableTasks(db),
        sessions: createPrunableSessions(db),
        dropIdempotencyKeys: (before, limit) => dropIdempotencyKeys(db, before, limit),
        blobs,
        clock,
        retentionDays: config.retentionDays,
        compact: db.compact,
        onError: (error) => report(error, "deleting expired tasks and sessions"),
      });
    },
    close: async () => retention?.close(),
  };
}
