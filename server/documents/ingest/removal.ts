import type { Clock } from "../../lib/clock.ts";
import { notFound } from "../../lib/errors.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import type { DocumentStore } from "../store/document-record.ts";
import { type DocumentLease, HANDOVER_MS, isLeaseLost } from "./document-task.ts";

export interface RemovalDeps {
  records: Pick<DocumentStore, "markDeleting" | "remove" | "stop">;
  store: Pick<ContentStore, "clear">;
  files: Pick<DocumentFiles, "remove">;
  clock: Clock;
  /** The task's epoch was raised: no run of it, in any process, can write any more. */
  onMarked(documentId: string): void;
  notify(documentId: string): void;
}

export interface Removal {
  /** Removes a document with its content and its file, also while it is ingested. */
  remove(documentId: string): Promise<void>;
  /** Ends the ingestion of a document, which then has failed. False when it is not being ingested. */
  stop(documentId: string): Promise<boolean>;
  /** Removes the rest of a document that is marked as deleting. */
  finish(lease: DocumentLease): Promise<void>;
}

export function createRemoval(deps: RemovalDeps): Removal {
  const { records, store, files, clock, onMarked, notify } = deps;

  /** The row goes last: until then the engine finds the rest after a crash. */
  async function finish(lease: DocumentLease): Promise<void> {
    try {
      await store.clear(lease);
      await files.remove(lease.documentId);
      await records.remove(lease);
    } catch (error) {
      // After HANDOVER_MS the engine has claimed the task and removes the rest.
      if (!isLeaseLost(error)) throw error;
    } finally {
      notify(lease.documentId);
    }
  }

  return {
    finish,
    async remove(documentId) {
      const lease = await records.markDeleting(documentId, clock.now() + HANDOVER_MS);
      if (lease === undefined) throw notFound("document");
      onMarked(documentId);
      await finish(lease);
    },
    async stop(documentId) {
      if (!(await records.stop(documentId, clock.now()))) return false;
      onMarked(documentId);
      notify(documentId);
      return true;
    },
  };
}
