import { statfs } from "node:fs/promises";
import type { InstanceStorage } from "../../contract/admin-instance.ts";
import type { PageQuery } from "../../contract/api.ts";
import type { Clock } from "../lib/clock.ts";
import { createThrottledBatches, type ThrottledBatches } from "../lib/throttled-batches.ts";
import type { Chunk, StorageUsageStore, Usage } from "./storage-usage.sql.ts";

export interface StorageUsageDeps {
  store: StorageUsageStore;
  clock: Clock;
  dataDir: string;
  onError(error: unknown): void;
}

/** A measurement of this age is shown, and a new one begins. */
const FRESH_MS = 10 * 60_000;

export type StorageUsage = ReturnType<typeof createStorageUsage>;

/**
 * Measures in the background what each workspace stores, in throttled batches: at a million runs one pass takes minutes, and
 * no batch reads more than a thousand ids.
 */
export function createStorageUsage({ store, clock, dataDir, onError }: StorageUsageDeps) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function measureAll(before: number, signal: AbortSignal): Promise<void> {
    const batches = createThrottledBatches(clock, signal, { firstRows: 1, maxRows: 1 });
    for (;;) {
      const owner = await batches.run(() => store.findStale(before));
      if (owner === undefined) return;
      await store.save(owner, await measure(owner, batches), clock.now());
    }
  }

  async function measure(owner: string, batches: ThrottledBatches): Promise<Usage> {
    const journal = { rows: 0, bytes: 0 };
    const runs = await addUp(async (after) => {
      const chunk = await batches.run(() => store.runs(owner, after));
      journal.rows += chunk.journalRows;
      journal.bytes += chunk.journalBytes;
      return chunk;
    });
    const files = await addUp((after) => batches.run(() => store.files(owner, after)));
    const documents = await addUp((after) => batches.run(() => store.documents(owner, after)));
    return {
      runs: runs.count,
      runBytes: runs.bytes,
      journalRows: journal.rows,
      journalBytes: journal.bytes,
      files: files.count,
      fileBytes: files.bytes,
      documents: documents.count,
      documentBytes: documents.bytes,
    };
  }

  /** Begins a measurement of what is out of date, unless one runs. */
  function refresh(): void {
    if (stopping.signal.aborted) return;
    running ??= measureAll(clock.now() - FRESH_MS, stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => (running = undefined));
  }

  return {
    /** Measures everything now, for a command that waits for it. */
    measureNow: () => measureAll(clock.now(), stopping.signal),

    async read(page: PageQuery): Promise<InstanceStorage> {
      if (page.cursor === undefined && (await store.findStale(clock.now() - FRESH_MS)) !== undefined)
        refresh();
      const { items, nextCursor } = await store.list(page);
      const { bsize, bavail, blocks } = await statfs(dataDir);
      return {
        workspaces: items,
        nextCursor,
        measuring: running !== undefined,
        databaseBytes: await store.databaseBytes(),
        disk: { freeBytes: bsize * bavail, totalBytes: bsize * blocks },
      };
    },

    async close(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

async function addUp(
  read: (after: string | undefined) => Promise<Chunk>,
): Promise<{ count: number; bytes: number }> {
  const sum = { count: 0, bytes: 0 };
  let after: string | undefined;
  do {
    const { count, bytes, next } = await read(after);
    sum.count += count;
    sum.bytes += bytes;
    after = next;
  } while (after !== undefined);
  return sum;
}
