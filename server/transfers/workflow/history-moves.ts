import type { Clock } from "../../lib/clock.ts";
import { createThrottledBatches } from "../../lib/throttled-batches.ts";
import type { FileCopies } from "../../run-files/file-copies.ts";
import { createMoveLoop } from "../move-loop.ts";
import type { HistoryStore, OpenMove } from "./move-history.sql.ts";

export interface HistoryMovesDeps {
  store: HistoryStore;
  files: FileCopies;
  clock: Clock;
  /** How long another process leaves a move to the one that claimed it; 0 without other processes. */
  claimMs: number;
  onError(error: unknown): void;
}

export interface HistoryMoves {
  /** Moves the first runs of this workflow; true while the former workspace has others. */
  advance(workflowId: string): Promise<boolean>;
  /** Moves the rest in the background, also that of moves which a crash interrupted. */
  poll(): void;
  start(): void;
  close(): Promise<void>;
}

const RETRY_MS = 30_000;
/** A call that was resolved before the move may store its run a moment after it. */
const LATE_RUNS_MS = 60_000;
/** A few milliseconds in SQLite. */
const BATCH = 100;
const FIRST_BATCHES = 3;

export function createHistoryMoves({
  store,
  files,
  clock,
  claimMs,
  onError,
}: HistoryMovesDeps): HistoryMoves {
  const loop = createMoveLoop(workAll, onError);

  const claim = (workflowId?: string) =>
    store.claim({ now: clock.now(), until: clock.now() + claimMs }, workflowId);

  async function removeCopied(move: OpenMove, fileIds: readonly string[]): Promise<void> {
    if (fileIds.length === 0) return;
    for (const id of fileIds) await files.remove(id, move.sourceId);
    await store.forgetFiles(move);
  }

  /** Moves up to `maxBatches` batches; true when the source has more. */
  async function moveRuns(move: OpenMove, maxBatches: number): Promise<boolean> {
    const batches = createThrottledBatches(clock, loop.signal, { firstRows: BATCH, maxRows: BATCH });
    // A crash may have happened between the copy of the last batch and this.
    await removeCopied(move, move.copiedFiles);
    while ((await batches.run(() => store.moveChatMessages(move, BATCH))) > 0);
    for (let moved = 0; moved < maxBatches; moved += 1) {
      const batch = await store.nextBatch(move, BATCH);
      if (batch.taskIds.length === 0) return store.hasRuns(move);
      // Bytes first: a row never names a file that is not there.
      for (const id of batch.fileIds) await files.copy(id, move.sourceId, move.targetId);
      if (!(await batches.run(() => store.moveBatch(move, batch)))) return true;
      await removeCopied(move, batch.fileIds);
      await store.release(move, clock.now() + claimMs);
    }
    return store.hasRuns(move);
  }

  async function work(move: OpenMove, maxBatches: number): Promise<boolean> {
    const late = move.createdAt + LATE_RUNS_MS;
    try {
      const hasMore = await moveRuns(move, maxBatches);
      if (hasMore) await store.release(move, maxBatches === Infinity ? clock.now() + RETRY_MS : 0);
      else if (clock.now() < late) await store.release(move, late);
      else await store.finish(move);
      return hasMore;
    } catch (error) {
      await store.release(move, loop.signal.aborted ? 0 : clock.now() + RETRY_MS);
      throw error;
    }
  }

  async function workAll(): Promise<void> {
    for (let move = await claim(); move !== undefined; move = await claim())
      await work(move, Infinity).catch((error: unknown) => {
        if (loop.signal.aborted) throw error;
        onError(error);
      });
  }

  return {
    async advance(workflowId) {
      const move = await claim(workflowId);
      // Another process has claimed it in the meantime.
      if (move === undefined) return true;
      return work(move, FIRST_BATCHES).catch((error: unknown) => {
        // The workflow has moved; its runs follow.
        onError(error);
        return true;
      });
    },
    poll: loop.poll,
    start: loop.start,
    close: loop.close,
  };
}
