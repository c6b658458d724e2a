import type { Clock } from "../../lib/clock.ts";
import { AppError, notFound, unavailable } from "../../lib/errors.ts";
import { createConcurrencyLimit } from "../../lib/concurrency-limit.ts";
import { createClaimKeeper } from "./claim-keeper.ts";
import { type Claim, claimLost, claimOf, isClaimLost } from "./document-claim.ts";
import type { DocumentFiles, ReceivedFile } from "../store/document-files.ts";
import type { DocumentRecord, DocumentStore } from "../store/document-record.ts";
import { documentDeleted, ingest, type IngestDeps } from "./ingest.ts";
import { type IngestionProgress, noProgress } from "./ingestion-progress.ts";

export interface IngestionDeps extends IngestDeps {
  records: DocumentStore;
  files: DocumentFiles;
  clock: Clock;
  /** Among several processes: so long after its last renewal a claim is another's to take. */
  leaseMs?: number | undefined;
  /** The document is in, has failed, is gone, or waits for somebody to take it in. */
  tell(documentId: string): void;
  onError(error: unknown, what: string): void;
  timeoutMs?: number;
}

export interface IngestionOptions {
  /** Leaves a failed record behind, for whoever asks later. */
  keepFailure: boolean;
  /** An upload that has just come; otherwise it is taken in anew, from the file that is kept already. */
  file?: ReceivedFile;
}

export interface Ingestion {
  /** The document must be claimed. `kept` resolves when its file is safe, `end` when it is indexed. */
  start(document: DocumentRecord, options: IngestionOptions): { kept: Promise<void>; end: Promise<void> };
  progressOf(documentId: string): IngestionProgress | undefined;
  /** The end of an ingestion that is under way in this process. */
  underWay(documentId: string): Promise<void> | undefined;
  /** Removes the document with all that stands in it, in the middle of its ingestion as well, wherever that happens. */
  remove(document: DocumentRecord): Promise<void>;
  /** Removes to the end what is marked for it. */
  clearAway(claim: Claim): Promise<void>;
  /** Marks it as failed and removes what was taken in of it. */
  fail(document: DocumentRecord, error: AppError): Promise<void>;
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

export function createIngestion(deps: IngestionDeps): Ingestion {
  const { records, store, files, clock, tell, onError } = deps;
  const jobs = new Map<string, Job>();
  const inTurn = createConcurrencyLimit(AT_ONCE);
  const keepClaim = createClaimKeeper(deps);
  let closing = false;

  async function run(
    document: DocumentRecord,
    job: Job,
    kept: Promise<void>,
    { file, keepFailure }: IngestionOptions,
  ): Promise<void> {
    const timeout = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS);
    const signal = AbortSignal.any([job.stop.signal, timeout]);
    const leaveClaim = keepClaim(claimOf(document), job.progress, () => job.stop.abort(claimLost()));
    // Of an upload whose file could not be kept nothing stays: its sender was told.
    let hasFile = file === undefined;
    try {
      await kept;
      hasFile = true;
      const { progress } = job;
      const takeIn = () =>
        files.withFile(document.id, (path) => ingest(document, path, deps, { signal, progress }));
      await inTurn(takeIn, signal);
    } catch (thrown) {
      const aborted = job.stop.signal.aborted ? (job.stop.signal.reason as Error) : undefined;
      const error = aborted ?? (timeout.aborted ? tookTooLong() : thrown);
      await leave(document, error, {
        stopped: aborted !== undefined,
        keepFailure: keepFailure && hasFile,
      });
      throw error;
    } finally {
      leaveClaim();
      tell(document.id);
    }
  }

  /** What becomes of a document that was not taken in to the end. */
  async function leave(
    document: DocumentRecord,
    error: unknown,
    { stopped, keepFailure }: { stopped: boolean; keepFailure: boolean },
  ): Promise<void> {
    if (isClaimLost(error)) return leaveToOthers(document);
    // A process that stops leaves everything as it is: the next one takes it up. Deletion clears up by itself.
    if (stopped) return records.release(claimOf(document));
    try {
      await giveUp(document, error, keepFailure);
    } catch (failure) {
      if (!isClaimLost(failure)) throw failure;
      await leaveToOthers(document);
      throw failure;
    }
  }

  /** Whoever deleted it may have looked for its file before that was there. */
  async function leaveToOthers({ id, ownerId }: DocumentRecord): Promise<void> {
    if ((await records.ownedAmong(ownerId, [id])).length === 0) await files.remove(id);
  }

  async function giveUp(document: DocumentRecord, error: unknown, keepFailure: boolean): Promise<void> {
    const claim = claimOf(document);
    if (!keepFailure) {
      const deleting = await records.markDeleting(document.id, clock.now(), claim);
      if (deleting === undefined) throw claimLost();
      return clearAway(deleting);
    }
    if (!(error instanceof AppError)) onError(error, `taking in document ${document.id}`);
    await store.clear(claim);
    await records.fail(claim, toFailure(error));
    await files.remove(document.id);
  }

  /** The record goes last: as long as it is there, whoever finds it after a crash goes on with the rest. */
  async function clearAway(claim: Claim): Promise<void> {
    const leaveClaim = keepClaim(claim, noProgress(), () => undefined);
    try {
      await store.clear(claim);
      await files.remove(claim.documentId);
      await records.remove(claim);
    } catch (error) {
      // Another process removes the rest of it.
      if (!isClaimLost(error)) throw error;
    } finally {
      leaveClaim();
      tell(claim.documentId);
    }
  }

  return {
    start(document, options) {
      const job: Job = { progress: noProgress(), stop: new AbortController(), end: Promise.resolve() };
      // Its file is kept all the same: the next process takes it up.
      if (closing) job.stop.abort(stopping());
      const { file } = options;
      const kept = file ? files.keep(file, document.id) : store.clear(claimOf(document));
      jobs.set(document.id, job);
      job.end = run(document, job, kept, options).finally(() => {
        if (jobs.get(document.id) === job) jobs.delete(document.id);
      });
      return { kept, end: job.end };
    },
    progressOf: (documentId) => jobs.get(documentId)?.progress,
    underWay: (documentId) => jobs.get(documentId)?.end,
    async remove(document) {
      const claim = await records.markDeleting(document.id, clock.now());
      if (claim === undefined) throw notFound("document");
      const job = jobs.get(document.id);
      job?.stop.abort(documentDeleted());
      await job?.end.catch(() => {});
      await clearAway(claim);
    },
    clearAway,
    async fail(document, error) {
      const leaveClaim = keepClaim(claimOf(document), noProgress(), () => undefined);
      try {
        await giveUp(document, error, true);
      } finally {
        leaveClaim();
        tell(document.id);
      }
    },
    async close() {
      closing = true;
      const open = [...jobs.values()];
      for (const job of open) job.stop.abort(stopping());
      await Promise.allSettled(open.map((job) => job.end));
    },
  };
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
