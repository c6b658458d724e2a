import type { DocumentStatusEvent } from "../../contract/realtime.ts";
import { AppError } from "../lib/errors.ts";

/** Throws `document_not_found` or `forbidden`. */
export type ReadDocumentStatus = (userId: string, documentId: string) => Promise<DocumentStatusEvent>;

const POLL_MS = 200;
const MAX_WATCHED = 50;

/** The documents that one client watches, polled while they are being ingested. */
export function createDocumentWatch(
  readStatus: ReadDocumentStatus,
  userId: string,
  emit: (event: DocumentStatusEvent) => void,
) {
  const watched = new Map<string, NodeJS.Timeout>();

  function end(documentId: string): void {
    clearTimeout(watched.get(documentId));
    watched.delete(documentId);
  }

  function schedulePoll(documentId: string, before: DocumentStatusEvent): void {
    const timer = setTimeout(() => {
      readStatus(userId, documentId).then(
        (now) => {
          if (!watched.has(documentId)) return;
          if (JSON.stringify(now) !== JSON.stringify(before)) emit(now);
          if (now.status === "processing") schedulePoll(documentId, now);
          else end(documentId);
        },
        // The document was deleted.
        () => end(documentId),
      );
    }, POLL_MS);
    watched.set(documentId, timer.unref());
  }

  return {
    /** Returns the current status; every later change is emitted, until ingestion has completed or failed. */
    async begin(documentId: string): Promise<DocumentStatusEvent> {
      const now = await readStatus(userId, documentId);
      if (watched.size >= MAX_WATCHED)
        throw new AppError("too_many_watched", `A client can watch at most ${MAX_WATCHED} documents.`);
      end(documentId);
      if (now.status === "processing") schedulePoll(documentId, now);
      return now;
    },
    end,
    endAll() {
      for (const documentId of watched.keys()) end(documentId);
    },
  };
}
