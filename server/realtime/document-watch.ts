import type { DocumentStatusEvent } from "../../contract/realtime.ts";
import { AppError } from "../lib/errors.ts";

/** Where a document of this user's stands. Throws `document_not_found` or `forbidden`. */
export type ReadDocumentStatus = (userId: string, documentId: string) => Promise<DocumentStatusEvent>;

const LOOK_MS = 200;
const MAX_WATCHED = 50;

/** One client's documents on their way in. Looked at now and then, and only while they are being taken in. */
export function createDocumentWatch(
  standing: ReadDocumentStatus,
  userId: string,
  emit: (event: DocumentStatusEvent) => void,
) {
  const watched = new Map<string, NodeJS.Timeout>();

  function end(documentId: string): void {
    clearTimeout(watched.get(documentId));
    watched.delete(documentId);
  }

  function lookSoon(documentId: string, before: DocumentStatusEvent): void {
    const timer = setTimeout(() => {
      standing(userId, documentId).then(
        (now) => {
          if (!watched.has(documentId)) return;
          if (JSON.stringify(now) !== JSON.stringify(before)) emit(now);
          if (now.status === "processing") lookSoon(documentId, now);
          else end(documentId);
        },
        // It was deleted: there is nothing more to tell.
        () => end(documentId),
      );
    }, LOOK_MS);
    watched.set(documentId, timer.unref());
  }

  return {
    /** Gives the standing now; every change after it is emitted, until the document is in or has failed. */
    async begin(documentId: string): Promise<DocumentStatusEvent> {
      const now = await standing(userId, documentId);
      if (watched.size >= MAX_WATCHED)
        throw new AppError("too_many_watched", `One client watches ${MAX_WATCHED} documents at most.`);
      end(documentId);
      if (now.status === "processing") lookSoon(documentId, now);
      return now;
    },
    end,
    endAll() {
      for (const documentId of watched.keys()) end(documentId);
    },
  };
}
