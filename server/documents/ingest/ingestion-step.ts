import type { ControlStep } from "../../engine/run/run.ts";
import { failed } from "../../engine/run/outcome.ts";
import { RunDropped } from "../../engine/journal/recorder.ts";
import type { EngineTask } from "../../engine/tasks/engine-task.ts";
import type { StepError } from "../../engine/tasks/task.ts";
import { AppError } from "../../lib/errors.ts";
import type { SharedEmbedding } from "../../models/embedding/shared-embedding.ts";
import { identifyModel } from "../retrieve/search-index.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import type { DocumentRecord, DocumentStore } from "../store/document-record.ts";
import { type DocumentLease, INGESTION_LANE, INGESTION_LANES, isLeaseLost } from "./document-task.ts";
import { ingest, type IngestDeps, reindexDocument } from "./ingest.ts";
import { INDEX_VERSION } from "./index-chunks.ts";
import type { IngestionProgress } from "../store/document-record.ts";
import { noProgress, reportProgress } from "./ingestion-progress.ts";
import type { Removal } from "./removal.ts";

export interface IngestionStepDeps extends IngestDeps {
  shared: SharedEmbedding;
  records: DocumentStore;
  files: DocumentFiles;
  removal: Removal;
  /** No other process shares the database. */
  isAlone: boolean;
  /** Tells every process that the document has changed. The hint may be lost. */
  notify(documentId: string): void;
  onError(error: unknown, what: string): void;
  timeoutMs?: number;
  /** How long a document may hold a slot of the lane of small documents. */
  smallDocumentMs?: number;
}

interface Job {
  progress: IngestionProgress;
  stop: AbortController;
  /** Pages that count against the owner's limit of this hour. */
  countedPages: number;
}

const TIMEOUT_MS = 30 * 60_000;
/** A small file may still have hundreds of pages, or scanned ones. */
const SMALL_DOCUMENT_MS = 60_000;

/**
 * The one step of a document's task. It reads from the document's row what is to be done, does it, and parks the task
 * until the next request. A crash leaves the row as it was, so the engine's recovery starts the same work again.
 */
export function createIngestionStep(deps: IngestionStepDeps) {
  const { records, store, files, removal, embedding, notify, onError } = deps;
  const jobs = new Map<string, Job>();
  let closing = false;

  const step: ControlStep = async ({ run: { task, stop } }) => {
    if (!INGESTION_LANES.includes(task.lane))
      return failed("unknown_step_type", "This service has no step of type ingestion.");
    if (closing) throw new RunDropped();
    const job: Job = { progress: noProgress(), stop: new AbortController(), countedPages: 0 };
    const stopped = AbortSignal.any([stop.signal, job.stop.signal]);
    const turn = turnOf(task);
    const signal = turn === undefined ? stopped : AbortSignal.any([stopped, turn]);
    jobs.set(task.id, job);
    try {
      await processDocument(leaseOf(task), job, signal);
    } catch (error) {
      if (turn?.aborted === true && !stopped.aborted) await moveToLargeLane(leaseOf(task), job);
      throw signal.aborted || isLeaseLost(error) ? new RunDropped() : error;
    } finally {
      if (jobs.get(task.id) === job) jobs.delete(task.id);
      notify(task.id);
    }
    return { kind: "waiting", due: null };
  };

  /** Aborted when a document has held a slot for small documents for too long. */
  function turnOf({ lane }: EngineTask): AbortSignal | undefined {
    return lane === INGESTION_LANE
      ? AbortSignal.timeout(deps.smallDocumentMs ?? SMALL_DOCUMENT_MS)
      : undefined;
  }

  /** The document starts again there, and its pages are counted again. A lost lease needs no move. */
  async function moveToLargeLane(lease: DocumentLease, { countedPages }: Job): Promise<void> {
    deps.hourlyPages?.add(lease.ownerId, -countedPages);
    await records.moveToLargeLane(lease).catch((error: unknown) => {
      if (!isLeaseLost(error)) throw error;
    });
  }

  const depsFor = (ownerId: string, job?: Job): IngestDeps => ({
    ...deps,
    embedding: deps.shared.forDocuments(ownerId),
    hourlyPages: deps.hourlyPages && {
      assertLeft: deps.hourlyPages.assertLeft,
      add(...counted) {
        deps.hourlyPages?.add(...counted);
        if (job !== undefined) job.countedPages += counted[1];
      },
    },
  });

  async function processDocument(lease: DocumentLease, job: Job, signal: AbortSignal): Promise<void> {
    const document = await records.find(lease.documentId);
    switch (document?.status) {
      case "processing":
        return ingestFromFile(document, lease, job, signal);
      case "indexed":
        return updateIndex(document, lease, signal);
      case "deleting":
        return removal.finish(lease);
      case "failed":
        // Its ingestion was stopped: the part that is stored goes.
        return discard(lease);
      case undefined:
    }
  }

  async function discard(lease: DocumentLease): Promise<void> {
    await store.clear(lease);
    await files.remove(lease.documentId);
  }

  async function ingestFromFile(
    document: DocumentRecord,
    lease: DocumentLease,
    job: Job,
    signal: AbortSignal,
  ): Promise<void> {
    const { progress, stop } = job;
    const timeout = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS);
    // A single process reads the progress from memory.
    const endReport = deps.isAlone
      ? () => undefined
      : reportProgress(records, lease, progress, () => stop.abort());
    try {
      // An earlier run may have stored a part.
      await store.clear(lease);
      if (!(await files.has(document.id))) return await handleMissingFile(document, lease);
      if (document.copiedFrom !== null) {
        if (await store.copyContent(lease, document.copiedFrom, signal)) return;
        await store.clear(lease);
      }
      await files.withFile(document.id, (path) =>
        ingest(document, lease, path, depsFor(document.ownerId, job), {
          signal: AbortSignal.any([signal, timeout]),
          progress,
        }),
      );
    } catch (error) {
      if (signal.aborted || isLeaseLost(error) || isStorageFault(error)) throw error;
      await fail(lease, timeout.aborted ? tookTooLong() : error);
    } finally {
      endReport();
    }
  }

  /** A single process knows that the upload was cut off and its sender got no response: nothing stays of it. */
  async function handleMissingFile({ id }: DocumentRecord, lease: DocumentLease): Promise<void> {
    if (deps.isAlone) return removal.remove(id);
    await fail(lease, fileMissing());
  }

  /** Old vectors stay in use until all new ones are stored. The request to reindex reads the error from the row. */
  async function updateIndex(
    document: DocumentRecord,
    lease: DocumentLease,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await store.moveWords(lease);
      const model = await identifyModel(embedding, signal);
      const isSameModel = document.modelId === model.id && document.dimensions === model.dimensions;
      if (isSameModel && document.indexVersion >= INDEX_VERSION) return;
      await reindexDocument(lease, depsFor(document.ownerId), signal);
    } catch (error) {
      if (signal.aborted || isLeaseLost(error) || isStorageFault(error)) throw error;
      report(error, document.id);
      await records.failReindex(lease, toFailure(error));
    }
  }

  async function fail(lease: DocumentLease, error: unknown): Promise<void> {
    report(error, lease.documentId);
    await store.clear(lease);
    await records.fail(lease, toFailure(error));
    await files.remove(lease.documentId);
  }

  function report(error: unknown, documentId: string): void {
    if (!(error instanceof AppError)) onError(error, `ingesting document ${documentId}`);
  }

  return {
    step,
    /** A document whose task fails has failed too: the engine stops a task that crashed the service three times. */
    async beforeFail(task: EngineTask, error: StepError): Promise<void> {
      if (!INGESTION_LANES.includes(task.lane)) return;
      const document = await records.find(task.id);
      if (document?.status !== "processing") return;
      await fail(leaseOf(task), error.code === "poison_task" ? crashedRepeatedly() : internalError());
      notify(task.id);
    },
    progressOf: (documentId: string): IngestionProgress | undefined => jobs.get(documentId)?.progress,
    /** Ends the run of this document in this process. */
    abort: (documentId: string): void => jobs.get(documentId)?.stop.abort(),
    /** Stops all runs at once: a document may take minutes, and the next process starts it again. */
    close(): void {
      closing = true;
      for (const { stop } of jobs.values()) stop.abort();
    },
  };
}

function leaseOf({ id, ownerId, epoch }: EngineTask): DocumentLease {
  return { documentId: id, ownerId, epoch };
}

/** The engine runs the task again when the database is reachable. */
function isStorageFault(error: unknown): boolean {
  return error instanceof AppError && error.code === "storage_unavailable";
}

function toFailure(error: unknown): { code: string; message: string } {
  const { code, message } = error instanceof AppError ? error : internalError();
  return { code, message };
}

function internalError(): AppError {
  return new AppError(
    "internal_error",
    "Ingestion failed unexpectedly. The log of the service has the cause.",
  );
}

function crashedRepeatedly(): AppError {
  return new AppError("unreadable_document", "Ingestion crashed the service 3 times.");
}

function tookTooLong(): AppError {
  return new AppError(
    "unreadable_document",
    "Ingestion took longer than 30 minutes. Split the document and upload the parts.",
  );
}

function fileMissing(): AppError {
  return new AppError(
    "document_file_not_found",
    "The file was not stored completely, or only where other processes cannot read it. Upload it again.",
  );
}
