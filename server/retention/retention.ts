import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../contract/api.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { createThrottledBatches } from "../lib/throttled-batches.ts";
import type { OwnersToPrune, PrunableTable } from "./prunable-table.ts";
import { removeRecords } from "./remove-records.ts";

export interface RetentionDeps {
  tasks: PrunableTable;
  sessions: PrunableTable;
  /** Deletes up to `limit` idempotency keys created at or before this time; returns how many. */
  dropIdempotencyKeys(before: number, limit: number): Promise<number>;
  /** Deletes up to `limit` snapshots of drafts stored before this time that no task uses; returns how many. */
  dropUnusedSnapshots(before: number, limit: number): Promise<number>;
  /** Deletes up to `limit` files between steps that no task has used since this time; returns how many. */
  dropUnlinkedFiles(before: number, limit: number): Promise<number>;
  dropExpiredEvents(before: number, limit: number): Promise<number>;
  /** Deletes up to `limit` rows that have expired by their own rule; returns how many. */
  dropExpired: readonly ((now: number, limit: number) => Promise<number>)[];
  /** Further rows that expire, each deleted up to `limit` at a time when created at or before this time; returns how many. */
  prunableRows: readonly ((before: number, limit: number) => Promise<number>)[];
  blobs: Pick<BlobStore, "removeFolder">;
  clock: Clock;
  /** 0 keeps everything. */
  retentionDays: number;
  /** Days that workspaces keep their tasks and sessions, in place of `retentionDays`. 0 keeps everything. */
  workspaceRetention(): Promise<ReadonlyMap<string, number>>;
  /** Returns a little freed space to the file system; true while there is more. */
  compact: (() => Promise<boolean>) | undefined;
  onError(error: unknown): void;
}

export interface Retention {
  /** Deletes everything that has expired; resolves with the number of tasks and sessions. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const FIRST_SWEEP_MS = 60_000;
const SWEEP_EVERY_MS = 3600 * 1000;
/** A snapshot and an uploaded file are stored a moment before the task that uses them. */
const GRACE_MS = 3600 * 1000;
const PAGE_RECORDS = 200;
const BATCHES = { firstRows: 200, maxRows: 2000 };

/** Deletes expired records in batches of a few milliseconds, so that requests are not delayed noticeably. */
export function createRetention({
  tasks,
  sessions,
  dropIdempotencyKeys,
  dropUnusedSnapshots,
  dropUnlinkedFiles,
  dropExpiredEvents,
  dropExpired,
  prunableRows,
  blobs,
  clock,
  retentionDays,
  workspaceRetention,
  compact,
  onError,
}: RetentionDeps): Retention {
  const stopping = new AbortController();
  const batches = createThrottledBatches(clock, stopping.signal, BATCHES);
  let sweeping: Promise<number> | undefined;
  let timer = setTimeout(onTimer, FIRST_SWEEP_MS).unref();

  function onTimer(): void {
    void sweep()
      .catch(onError)
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(onTimer, SWEEP_EVERY_MS).unref();
      });
  }

  function sweep(): Promise<number> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  }

  async function sweepOnce(): Promise<number> {
    const now = clock.now();
    await batches.deleteAll((limit) => dropIdempotencyKeys(now - IDEMPOTENCY_KEY_LIFETIME_MS, limit));
    await batches.deleteAll((limit) => dropExpiredEvents(now, limit));
    const removed = await pruneAll(now);
    // After the tasks, whose end may leave a snapshot unused.
    await batches.deleteAll((limit) => dropUnusedSnapshots(now - GRACE_MS, limit));
    await batches.deleteAll((limit) => dropUnlinkedFiles(now - GRACE_MS, limit));
    for (const drop of dropExpired) await batches.deleteAll((limit) => drop(now, limit));
    while (compact !== undefined && (await batches.run(compact)));
    return removed;
  }

  async function pruneAll(now: number): Promise<number> {
    const own = await workspaceRetention();
    let removed = 0;
    if (retentionDays > 0) {
      const cutoff = now - retentionDays * DAY_MS;
      for (const pruneRows of prunableRows) await batches.deleteAll((limit) => pruneRows(cutoff, limit));
      removed += await pruneOwners(cutoff, { except: [...own.keys()] });
    }
    for (const [workspaceId, days] of own)
      if (days > 0) removed += await pruneOwners(now - days * DAY_MS, { only: workspaceId });
    return removed;
  }

  /** Sessions first: the tasks that their agents started are prunable only after them. */
  async function pruneOwners(cutoff: number, owners: OwnersToPrune): Promise<number> {
    return (await prune(sessions, cutoff, owners)) + (await prune(tasks, cutoff, owners));
  }

  /** Ids sort by time of creation, so the scan from the oldest record needs no index of its own. */
  async function prune(table: PrunableTable, cutoff: number, owners: OwnersToPrune): Promise<number> {
    let removed = 0;
    for (let after = ""; ;) {
      const page = await batches.run(() => table.findPrunable(after, cutoff, PAGE_RECORDS, owners));
      const removedHere = await removeRecords(table, page.prunable, { batches, blobs });
      removed += removedHere;
      if (page.lastId === null) return removed;
      // A child is kept while its parent exists: after parents were deleted, the same page is checked again.
      if (removedHere === 0) after = page.lastId;
    }
  }

  return {
    sweep,
    async close() {
      stopping.abort();
      clearTimeout(timer);
      await sweeping?.catch(() => undefined);
    },
  };
}
