import type { ErrorCode } from "../../../contract/errors.ts";
import type { DocumentMetadata } from "../../../contract/documents.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError, unavailable } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { CollectionStore } from "../collections/collection.sql.ts";
import type { DocumentFiles, ReceivedFile } from "../store/document-files.ts";
import { type DocumentRecord, type DocumentStore, newDocument } from "../store/document-record.ts";
import { HANDOVER_MS } from "./document-task.ts";
import { documentDeleted } from "./ingest.ts";
import { ignoreNotFound, storeFile, type StoreFileDeps } from "./store-file.ts";

export interface Upload {
  file: ReceivedFile;
  fileName: string;
  metadata: DocumentMetadata;
  /** A collection of the same owner, into which the document goes. */
  collectionId?: string;
  /** False: respond as soon as the record and the file are stored. */
  wait: boolean;
}

export interface UploadsDeps extends StoreFileDeps {
  collections: Pick<CollectionStore, "owned" | "add">;
  records: Pick<DocumentStore, "insert" | "enqueue" | "byHash" | "owned">;
  files: Pick<DocumentFiles, "keep" | "remove">;
  /** Resolves when a document has changed or may have, in any process. */
  nextChange(): Promise<void>;
  /** A request waits at most this long for its document. */
  maxWaitMs?: number;
}

interface Accepted {
  document: DocumentRecord;
  created: boolean;
}

const MAX_ATTEMPTS = 5;

/** Clients and proxies give up after five minutes without a response, or earlier. */
const MAX_WAIT_MS = 4 * 60_000;

/** Takes ownership of the received file. The same bytes give the same document: `created` is false then. */
export function createUploads(deps: UploadsDeps) {
  const { collections, records, files, clock, remove, nextChange, maxWaitMs = MAX_WAIT_MS } = deps;
  // Two uploads of the same bytes at once: the second waits until the first has stored its record.
  const accepting = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<DocumentRecord>>();

  async function accept(ownerId: string, upload: Upload): Promise<Accepted> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const known = await records.byHash(ownerId, upload.file.sha256);
      if (known && known.status !== "failed") return { document: known, created: false };
      // The same bytes after a failure are a new attempt.
      if (known) await remove(known.id).catch(ignoreNotFound);
      const document = toDocument(ownerId, upload, clock.now());
      // The record comes first: after a crash it leads to the file. False: another process has just inserted one.
      if (!(await records.insert(document, clock.now() + HANDOVER_MS))) continue;
      const isStored = await storeFile(deps, document.id, () => files.keep(upload.file, document.id));
      if (!isStored) await ingested(document);
      return { document, created: true };
    }
    throw unavailable("The same file is being uploaded by another request. Try again.");
  }

  function oneAtATime<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turn = (accepting.get(key) ?? Promise.resolve()).then(act, act);
    accepting.set(key, turn);
    const leave = (): void => {
      if (accepting.get(key) === turn) accepting.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** The record once any process has indexed it. Throws the error of a failed ingestion. */
  async function ingested({ id, ownerId }: DocumentRecord): Promise<DocumentRecord> {
    for (;;) {
      // Before the read: a change in between ends the wait at once.
      const change = nextChange();
      change.catch(() => undefined);
      const document = await records.owned(id, ownerId).catch(ignoreNotFound);
      if (document === undefined) throw documentDeleted();
      if (document.status === "indexed") return document;
      if (document.error) throw new AppError(document.error.code as ErrorCode, document.error.message);
      await change;
    }
  }

  /** Requests for one document share the wait: all of them get the error, although the first removes the record. */
  function shareIngested(document: DocumentRecord): Promise<DocumentRecord> {
    const known = waiting.get(document.id);
    if (known !== undefined) return known;
    const wait = ingested(document).finally(() => waiting.delete(document.id));
    waiting.set(document.id, wait);
    return wait;
  }

  /** The document as it is when the wait is over; its ingestion continues. */
  async function ingestedInTime(document: DocumentRecord): Promise<DocumentRecord> {
    const limit = createDeadline(maxWaitMs);
    const indexed = await Promise.race([shareIngested(document), limit.reached]).finally(() => limit.clear());
    return indexed ?? document;
  }

  return async (ownerId: string, upload: Upload): Promise<Accepted> => {
    try {
      const { collectionId } = upload;
      if (collectionId !== undefined) await collections.owned(collectionId, ownerId);
      const key = `${ownerId} ${upload.file.sha256}`;
      const { document, created } = await oneAtATime(key, () => accept(ownerId, upload));
      if (collectionId !== undefined) await collections.add(collectionId, ownerId, document.id);
      if (!upload.wait) return { document, created };
      try {
        return { document: await ingestedInTime(document), created };
      } catch (error) {
        // The response reports the failure, so no record of it stays.
        if (created && (await hasFailed(document))) await remove(document.id).catch(ignoreNotFound);
        throw error;
      }
    } finally {
      // `keep` has moved the file already.
      await upload.file.discard();
    }
  };

  async function hasFailed({ id, ownerId }: DocumentRecord): Promise<boolean> {
    return (await records.owned(id, ownerId).catch(ignoreNotFound))?.status === "failed";
  }
}

function toDocument(ownerId: string, { file, fileName, metadata }: Upload, now: number): DocumentRecord {
  return newDocument({
    id: createId("doc"),
    ownerId,
    sha256: file.sha256,
    title: metadata.title ?? titleFrom(fileName),
    mediaType: file.mediaType,
    metadata,
    bytes: file.bytes,
    createdAt: now,
  });
}

/** A file name is untrusted text: without folders, extension and control characters. */
function titleFrom(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  const tidy = name
    .replace(/\.(?:pdf|docx|pptx|xlsx|epub|x?html?|md|markdown|txt|eml|csv)$/i, "")
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();
  return tidy.slice(0, 300) || "Untitled";
}
