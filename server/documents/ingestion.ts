import { AppError, unavailable } from "../lib/errors.ts";
import type { DocumentFiles } from "./document-files.ts";
import type { DocumentRecord, DocumentStore } from "./document-record.ts";
import { documentDeleted, ingest, type IngestDeps, type IngestionProgress } from "./ingest.ts";
import type { SearchIndex } from "./search-index.ts";
import { createTurns } from "./turns.ts";

export interface IngestionDeps extends IngestDeps {
  records: DocumentStore;
  files: DocumentFiles;
  index: SearchIndex;
  onError(error: unknown, what: string): void;
  timeoutMs?: number;
}

export interface Ingestion {
  /** Resolves when the document is indexed. `keepFailure` leaves a failed record behind, for whoever asks later. */
  start(document: DocumentRecord, options: { keepFailure: boolean }): Promise<void>;
  progressOf(documentId: string): IngestionProgress | undefined;
  /** The end of an ingestion that is under way, undefined when there is none. */
  underWay(documentId: string): Promise<void> | undefined;
  /** Removes the document with all that stands in it, in the middle of its ingestion as well. */
  remove(document: DocumentRecord): Promise<void>;
  /** Goes on with what an ended process has left: takes in anew, or removes to the end. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  progress: IngestionProgress;
  stop: AbortController;
  end: Promise<void>;
}

// Each may take 512 MB while its PDF is read; the embedding of both shares the same threads anyway.
const AT_ONCE = 2;
const TIMEOUT_MS = 30 * 60_000;
const MAX_ATTEMPTS = 3;

export function createIngestion(deps: IngestionDeps): Ingestion {
  const { records, store, files, index, onError } = deps;
  const jobs = new Map<string, Job>();
  const takeTurn = createTurns(AT_ONCE);
  let closing = false;
  let recovering: Promise<void> = Promise.resolve();

  async function run(document: DocumentRecord, job: Job, keepFailure: boolean): Promise<void> {
    const timeout = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS);
    const signal = AbortSignal.any([job.stop.signal, timeout]);
    let release: (() => void) | undefined;
    try {
      release = await takeTurn(signal);
      const vectors = await ingest(document, files.pathOf(document.id), deps, {
        signal,
        progress: job.progress,
      });
      index.add(vectors);
    } catch (thrown) {
      // A process that stops leaves everything as it is: the next one takes it up. Deletion clears up by itself.
      if (job.stop.signal.aborted) throw job.stop.signal.reason;
      const error = timeout.aborted ? tookTooLong() : thrown;
      await giveUp(document, error, keepFailure);
      throw error;
    } finally {
      release?.();
    }
  }

  async function giveUp(document: DocumentRecord, error: unknown, keepFailure: boolean): Promise<void> {
    if (!keepFailure) return clearAway(document);
    if (!(error instanceof AppError)) onError(error, `taking in document ${document.id}`);
    await store.clear(document.ownerId, document.id);
    await records.fail(document.id, toFailure(error));
    await files.remove(document.id);
  }

  /** The record goes last: as long as it is there, a start after a crash goes on with the rest. */
  async function clearAway(document: DocumentRecord): Promise<void> {
    await records.markDeleting(document.id);
    index.remove(document.ownerId, document.id);
    await store.clear(document.ownerId, document.id);
    await files.remove(document.id);
    await records.remove(document.id);
  }

  async function recoverAll(): Promise<void> {
    try {
      await files.sweep();
      for (const document of await records.unfinished()) {
        if (closing) return;
        await recoverOne(document).catch((error: unknown) => {
          if (!closing) onError(error, `taking in document ${document.id} after a restart`);
        });
      }
    } catch (error) {
      onError(error, "going on with unfinished documents");
    }
  }

  async function recoverOne(document: DocumentRecord): Promise<void> {
    if (document.status === "deleting" || !(await files.has(document.id))) return clearAway(document);
    await store.clear(document.ownerId, document.id);
    if (document.attempts >= MAX_ATTEMPTS) {
      const message = `Taking it in ended the service ${MAX_ATTEMPTS} times.`;
      return giveUp(document, new AppError("unreadable_document", message), true);
    }
    await records.countAttempt(document.id);
    await ingestion.start(document, { keepFailure: true });
  }

  const ingestion: Ingestion = {
    start(document, { keepFailure }) {
      const job: Job = {
        progress: { pages: 0, pagesDone: 0, chunks: 0, chunksDone: 0 },
        stop: new AbortController(),
        end: Promise.resolve(),
      };
      if (closing) return Promise.reject(stopping());
      jobs.set(document.id, job);
      job.end = run(document, job, keepFailure).finally(() => jobs.delete(document.id));
      return job.end;
    },
    progressOf: (documentId) => jobs.get(documentId)?.progress,
    underWay: (documentId) => jobs.get(documentId)?.end,
    async remove(document) {
      const job = jobs.get(document.id);
      job?.stop.abort(documentDeleted());
      await job?.end.catch(() => {});
      await clearAway(document);
    },
    recover() {
      recovering = recoverAll();
      return recovering;
    },
    async close() {
      closing = true;
      const open = [...jobs.values()];
      for (const job of open) job.stop.abort(stopping());
      await Promise.allSettled([recovering, ...open.map((job) => job.end)]);
    },
  };
  return ingestion;
}

function toFailure(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: "internal_error", message: "Something went wrong on our side; the log has it." };
}

function tookTooLong(): AppError {
  return new AppError(
    "unreadable_document",
    "Taking the document in took too long; divide it and upload the parts.",
  );
}

function stopping(): AppError {
  return unavailable("The service is stopping; the document is taken in when it is up again.");
}
