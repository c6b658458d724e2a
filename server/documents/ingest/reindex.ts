import type { ErrorCode } from "../../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { DocumentStore } from "../store/document-record.ts";

export interface ReindexDeps {
  records: Pick<DocumentStore, "ofOtherModel" | "requestReindex">;
  clock: Clock;
  /** The document's task is due. */
  onEnqueued(documentId: string): void;
  /** Resolves when a document has changed or may have, in any process. */
  nextChange(): Promise<void>;
}

type Model = { id: string; dimensions: number };

/** A process that still runs another embedding model may have claimed a task and found nothing to do. */
const REPEAT_AFTER_MS = 5000;

/** Embeds an owner's documents of other models again: each by its own task, so a crash loses none of them. */
export function createReindex({ records, clock, onEnqueued, nextChange }: ReindexDeps) {
  const running = new Map<string, Promise<void>>();

  async function request(ids: readonly string[]): Promise<number> {
    await records.requestReindex(ids, clock.now());
    for (const id of ids) onEnqueued(id);
    return clock.monotonic();
  }

  async function reindex(ownerId: string, model: Model, ids: readonly string[]): Promise<void> {
    let pending = ids;
    let requestedAt = await request(pending);
    for (;;) {
      // Before the read: a change in between ends the wait at once.
      const change = nextChange();
      change.catch(() => undefined);
      const outdated = await records.ofOtherModel(ownerId, model, pending);
      const error = outdated.find((document) => document.error !== null)?.error;
      if (error) throw new AppError(error.code as ErrorCode, error.message);
      pending = outdated.map(({ id }) => id);
      if (pending.length === 0) return;
      if (clock.monotonic() - requestedAt >= REPEAT_AFTER_MS) requestedAt = await request(pending);
      await change;
    }
  }

  return {
    /** `end` resolves when all documents are embedded again. A second request joins the one that is running. */
    async start(ownerId: string, model: Model): Promise<{ documents: number; end: Promise<void> }> {
      const outdated = await records.ofOtherModel(ownerId, model);
      const ids = outdated.map(({ id }) => id);
      if (ids.length === 0) return { documents: 0, end: running.get(ownerId) ?? Promise.resolve() };
      const end = running.get(ownerId) ?? reindex(ownerId, model, ids).finally(() => running.delete(ownerId));
      running.set(ownerId, end);
      return { documents: ids.length, end };
    },
    ended: () => Promise.allSettled(running.values()),
  };
}
