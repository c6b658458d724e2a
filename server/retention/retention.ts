import { setTimeout as sleep } from "node:timers/promises";
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../contract/api.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";

/** A kind of record that expires, each with rows of its own: a task with its journal, a session with its messages. */
export interface PrunableTable {
  /**
   * Checks up to `limit` records after `afterId`, oldest first, that were created before `cutoff`. A record is prunable
   * when it ended before `cutoff` and nothing unfinished depends on it; `rows` is the number of its rows.
   */
  findPrunable(
    afterId: string,
    cutoff: number,
    limit: number,
  ): Promise<{ prunable: PrunableRecord[]; lastId: string | null }>;
  /** Detaches a finished record from its owner, so that no reader sees it half deleted; false when it is running again. */
  hide(id: string): Promise<boolean>;
  /** Deletes up to `limit` rows of the record; returns how many. */
  trim(id: string, limit: number): Promise<number>;
  /** Deletes finished records with everything that belongs to them; returns the ids of those that were still finished. */
  remove(ids: readonly string[]): Promise<string[]>;
}

export interface PrunableRecord {
  id: string;
  rows: number;
}

export interface RetentionDeps {
  tasks: PrunableTable;
  sessions: PrunableTable;
  /** Deletes up to `limit` idempotency keys created at or before this time; returns how many. */
  dropIdempotencyKeys(before: number, limit: number): Promise<number>;
  blobs: Pick<BlobStore, "removeFolder">;
  clock: Clock;
  /** 0 keeps all tasks and sessions. */
  retentionDays: number;
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
const PAGE_RECORDS = 200;
/** A delete that takes longer than this halves the next one; one that takes less than a quarter doubles it. */
const TARGET_STEP_MS = 12;
const MAX_STEP_ROWS = 2000;

/** Deletes expired records in steps of a few milliseconds, so that requests are not delayed noticeably. */
export function createRetention({
  tasks,
  sessions,
  dropIdempotencyKeys,
  blobs,
  clock,
  retentionDays,
  compact,
  onError,
}: RetentionDeps): Retention {
  const stopping = new AbortController();
  let stepRows = 200;
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
    await deleteInSteps((limit) => dropIdempotencyKeys(now - IDEMPOTENCY_KEY_LIFETIME_MS, limit));
    const removed = retentionDays > 0 ? await pruneAll(now - retentionDays * DAY_MS) : 0;
    while (compact !== undefined && (await throttled(compact)));
    return removed;
  }

  /** Sessions first: the tasks that their agents started are prunable only after them. */
  async function pruneAll(cutoff: number): Promise<number> {
    return (await prune(sessions, cutoff)) + (await prune(tasks, cutoff));
  }

  /** Ids sort by time of creation, so the scan from the oldest record needs no index of its own. */
  async function prune(table: PrunableTable, cutoff: number): Promise<number> {
    let removed = 0;
    for (let after = ""; ;) {
      const page = await throttled(() => table.findPrunable(after, cutoff, PAGE_RECORDS));
      const removedHere = await removeRecords(table, page.prunable);
      removed += removedHere;
      if (page.lastId === null) return removed;
      // A child is kept while its parent exists: after parents were deleted, the same page is checked again.
      if (removedHere === 0) after = page.lastId;
    }
  }

  async function removeRecords(table: PrunableTable, records: readonly PrunableRecord[]): Promise<number> {
    let removed = 0;
    for (let next = 0; next < records.length;) {
      const group: string[] = [];
      let rows = 0;
      while (next < records.length && (group.length === 0 || rows + records[next]!.rows <= stepRows)) {
        const { id, rows: own } = records[next++]!;
        group.push(id);
        rows += own + 1;
      }
      if (rows > stepRows + 1) await trimFirst(table, group[0]!);
      const gone = await throttled(() => table.remove(group));
      await Promise.all(gone.map((id) => blobs.removeFolder(id)));
      removed += gone.length;
    }
    return removed;
  }

  /** A long journal takes several steps; hidden first, a record cannot be reopened after a crash between them. */
  async function trimFirst(table: PrunableTable, id: string): Promise<void> {
    if (!(await table.hide(id))) return;
    await deleteInSteps((limit) => table.trim(id, limit));
  }

  async function deleteInSteps(deleteRows: (limit: number) => Promise<number>): Promise<void> {
    for (let limit = stepRows; (await throttled(() => deleteRows(limit))) === limit;) limit = stepRows;
  }

  /** Runs one step, then leaves the event loop and the disk idle for three times as long. */
  async function throttled<T>(step: () => Promise<T>): Promise<T> {
    stopping.signal.throwIfAborted();
    const began = clock.monotonic();
    const result = await step();
    const took = clock.monotonic() - began;
    if (took > TARGET_STEP_MS) stepRows = Math.max(10, Math.floor(stepRows / 2));
    else if (took < TARGET_STEP_MS / 4) stepRows = Math.min(MAX_STEP_ROWS, stepRows * 2);
    await sleep(Math.min(100, took * 3), undefined, { signal: stopping.signal });
    return result;
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
