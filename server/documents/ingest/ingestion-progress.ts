import type { DocumentStore, IngestionProgress } from "../store/document-record.ts";
import type { DocumentLease } from "./document-task.ts";

export function noProgress(): IngestionProgress {
  return { pages: 0, pagesDone: 0, chunks: 0, chunksDone: 0 };
}

const REPORT_EVERY_MS = 1000;

/**
 * Stores the progress for other processes once a second until the returned function is called. Without progress it
 * checks the lease, so a run that waits for an embedding service notices a deletion although every hint was lost.
 */
export function reportProgress(
  records: Pick<DocumentStore, "saveProgress" | "holds">,
  lease: DocumentLease,
  progress: IngestionProgress,
  onLost: () => void,
): () => void {
  let saved = JSON.stringify(progress);
  let saving = false;

  async function save(): Promise<void> {
    if (saving) return;
    saving = true;
    const current = JSON.stringify(progress);
    try {
      const isHeld =
        current === saved ? await records.holds(lease) : await records.saveProgress(lease, progress);
      if (!isHeld) onLost();
      saved = current;
    } catch {
      // The database is unreachable. The next write of the ingestion reports that.
    } finally {
      saving = false;
    }
  }

  const timer = setInterval(() => void save(), REPORT_EVERY_MS).unref();
  return () => clearInterval(timer);
}
