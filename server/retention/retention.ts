import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../contract/api.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import type { RetentionStore, Shelf } from "./retention-store.ts";

export interface RetentionDeps {
  store: RetentionStore;
  blobs: Pick<BlobStore, "removeFolder">;
  clock: Clock;
  /** 0 keeps every task and every session. */
  retentionDays: number;
  /** Gives freed space back in a small step; true while there is more to give. */
  compact: (() => Promise<boolean>) | undefined;
  onError(error: unknown): void;
}

export interface Retention {
  /** One pass over everything that is too old; resolves with the number of tasks and sessions it removed. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const FIRST_SWEEP_MS = 60_000;
const SWEEP_EVERY_MS = 3600 * 1000;
const PAGE_RECORDS = 200;
/** A step that holds up the event loop longer than this is halved next time, a much shorter one doubled. */
const STEP_MS = 12;
const MAX_STEP_ROWS = 2000;

/** Removes what is too old, a few milliseconds at a time, so that nobody who is served meanwhile notices. */
export function createRetention({
  store,
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
    await untilNoneIsLeft((limit) => store.dropKeys(now - IDEMPOTENCY_KEY_LIFETIME_MS, limit));
    const removed = retentionDays > 0 ? await pruneAll(now - retentionDays * DAY_MS) : 0;
    while (compact !== undefined && (await gently(compact)));
    return removed;
  }

  /** What a session's agents have started goes after the session. */
  async function pruneAll(cutoff: number): Promise<number> {
    return (await prune(store.sessions, cutoff)) + (await prune(store.tasks, cutoff));
  }

  /** Ids sort by time of creation, so the walk begins at the oldest and needs no index of its own. */
  async function prune(shelf: Shelf, cutoff: number): Promise<number> {
    let removed = 0;
    for (let after = ""; ;) {
      const page = await gently(() => shelf.survey(after, cutoff, PAGE_RECORDS));
      const gone = await removeSome(shelf, page.prunable);
      removed += gone;
      if (page.lastId === null) return removed;
      // A child stays while its parent's row is there: when parents went, their page is looked at again.
      if (gone === 0) after = page.lastId;
    }
  }

  async function removeSome(shelf: Shelf, records: readonly { id: string; rows: number }[]): Promise<number> {
    let removed = 0;
    for (let next = 0; next < records.length;) {
      const group: string[] = [];
      let rows = 0;
      while (next < records.length && (group.length === 0 || rows + records[next]!.rows <= stepRows)) {
        const { id, rows: own } = records[next++]!;
        group.push(id);
        rows += own + 1;
      }
      if (rows > stepRows + 1) await emptyFirst(shelf, group[0]!);
      const gone = await gently(() => shelf.remove(group));
      await Promise.all(gone.map((id) => blobs.removeFolder(id)));
      removed += gone.length;
    }
    return removed;
  }

  /** A long journal or log takes several steps; a crash between them must not leave half of it to be opened again. */
  async function emptyFirst(shelf: Shelf, id: string): Promise<void> {
    if (!(await shelf.hide(id))) return;
    await untilNoneIsLeft((limit) => shelf.trim(id, limit));
  }

  async function untilNoneIsLeft(removeSome: (limit: number) => Promise<number>): Promise<void> {
    for (let limit = stepRows; (await gently(() => removeSome(limit))) === limit;) limit = stepRows;
  }

  /** Runs one step, then leaves the loop and the disk to the others three times as long. */
  async function gently<T>(step: () => Promise<T>): Promise<T> {
    stopping.signal.throwIfAborted();
    const began = clock.monotonic();
    const result = await step();
    const took = clock.monotonic() - began;
    if (took > STEP_MS) stepRows = Math.max(10, Math.floor(stepRows / 2));
    else if (took < STEP_MS / 4) stepRows = Math.min(MAX_STEP_ROWS, stepRows * 2);
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
