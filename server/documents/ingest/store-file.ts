import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import type { DocumentStore } from "../store/document-record.ts";

export interface StoreFileDeps {
  records: Pick<DocumentStore, "enqueue">;
  files: Pick<DocumentFiles, "remove">;
  clock: Clock;
  remove(documentId: string): Promise<void>;
  /** The document's task is due. */
  onEnqueued(documentId: string): void;
}

/** Stores the file of a new record and makes its task due. False when the document was deleted meanwhile. */
export async function storeFile(
  { records, files, clock, remove, onEnqueued }: StoreFileDeps,
  documentId: string,
  write: () => Promise<void>,
): Promise<boolean> {
  try {
    await write();
  } catch (error) {
    await remove(documentId).catch(ignoreNotFound);
    throw error;
  }
  const isEnqueued = await records.enqueue(documentId, clock.now());
  // Deleted before the file was stored: the deletion did not find the file.
  if (isEnqueued) onEnqueued(documentId);
  else await files.remove(documentId);
  return isEnqueued;
}

export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "document_not_found")) throw error;
}
