import type { BlobStore } from "../lib/blob-store.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createRetention, type Retention } from "./retention.ts";
import { createRetentionStore } from "./retention.sql.ts";

/** Deletes old tasks and sessions in the background; has no routes. */
export function createRetentionPart({ config, clock, db, report }: Platform, blobs: BlobStore): Part {
  let retention: Retention | undefined;
  return {
    begin() {
      retention = createRetention({
        store: createRetentionStore(db),
        blobs,
        clock,
        retentionDays: config.retentionDays,
        compact: db.compact,
        onError: (error) => report(error, "pruning old tasks"),
      });
    },
    close: async () => retention?.close(),
  };
}
