import type { DocumentMetadata, DocumentView } from "../../../contract/documents.ts";
import type { PageQuery } from "../../../contract/api.ts";
import { toIso } from "../../lib/clock.ts";
import type { ResultPage } from "../../lib/result-page.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";
import type { DocumentLease } from "../ingest/document-task.ts";

/** A document that is `deleting` is not in the API any more: the rest of it is being removed. */
export type DocumentStatus = "processing" | "indexed" | "failed" | "deleting";

export interface DocumentError {
  code: string;
  message: string;
}

export interface DocumentRecord {
  id: string;
  ownerId: string;
  sha256: string;
  status: DocumentStatus;
  title: string;
  /** By its bytes. */
  mediaType: string;
  metadata: DocumentMetadata;
  bytes: number;
  pages: number;
  pagesWithoutText: number[];
  chunks: number;
  /** The model of its vectors; null before it has any. */
  modelId: string | null;
  dimensions: number | null;
  /** The version of its terms and vectors; a lower one than `INDEX_VERSION` is outdated. */
  indexVersion: number;
  /** Why its ingestion failed; of an indexed document, why it could not be embedded again. */
  error: DocumentError | null;
  /** The document whose content this one takes over instead of reading its file. */
  copiedFrom: string | null;
  /** Progress of its ingestion; up to a second behind when another process ingests it. */
  pagesDone: number;
  chunksDone: number;
  createdAt: number;
}

/** The fields that an upload sets. */
type UploadedDocument = Pick<
  DocumentRecord,
  "id" | "ownerId" | "sha256" | "title" | "mediaType" | "metadata" | "bytes" | "createdAt"
>;

export function newDocument(uploaded: UploadedDocument): DocumentRecord {
  return {
    ...uploaded,
    status: "processing",
    pages: 0,
    pagesWithoutText: [],
    chunks: 0,
    modelId: null,
    dimensions: null,
    indexVersion: 0,
    error: null,
    copiedFrom: null,
    pagesDone: 0,
    chunksDone: 0,
  };
}

export interface DocumentFilter {
  tag?: string | undefined;
  collectionId?: string | undefined;
}

/** A document and the account it belongs to. */
export interface OwnedId {
  id: string;
  ownerId: string;
}

/** A document that another workspace gets. */
export interface DocumentCopy {
  /** The id of the source. */
  id: string;
  sourceId: string;
  targetId: string;
  userId: string;
  now: number;
}

export interface DocumentReads {
  /** Also one that is being deleted. */
  find(id: string): Promise<DocumentRecord | undefined>;
  /** Throws `document_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<DocumentRecord>;
  byHash(ownerId: string, sha256: string): Promise<DocumentRecord | undefined>;
  /** One that the reader owns, or reads through a collection. Throws `document_not_found` or `forbidden`. */
  readable(id: string, readerId: string): Promise<DocumentRecord>;
  /** The reader's own, or all of a collection. */
  list(readerId: string, query: PageQuery, filter?: DocumentFilter): Promise<ResultPage<DocumentRecord>>;
  /** Those of the ids that the reader owns, or reads through a collection. */
  readableAmong(readerId: string, ids: readonly string[]): Promise<OwnedId[]>;
  /** Those of the ids of collections that the reader may read. */
  readableCollections(readerId: string, ids: readonly string[]): Promise<string[]>;
  /** The indexed documents in the scope, newest first. */
  titles(scope: SearchScope, limit: number): Promise<Pick<DocumentRecord, "id" | "title">[]>;
  /** The documents of the collections. Throws `collection_not_found` when the reader may not read one of them. */
  inCollections(readerId: string, collectionIds: readonly string[]): Promise<OwnedId[]>;
  /** All of the owner's that carry one of the tags. */
  tagged(ownerId: string, tags: readonly string[]): Promise<string[]>;
  /** Indexed documents whose vectors are of another model: all of the owner's, or of the given ones. */
  ofOtherModel(
    ownerId: string,
    model: { id: string; dimensions: number },
    documentIds?: readonly string[],
  ): Promise<Pick<DocumentRecord, "id" | "error">[]>;
}

/** Writes that move a document on. Each changes the document and its task in one transaction. */
export interface DocumentWork {
  /** False when the owner has a document of these bytes. The task is due at `dueAt`, or when it is enqueued. */
  insert(document: DocumentRecord, dueAt: number): Promise<boolean>;
  /**
   * A record of the same file for another workspace, in which the person may create documents. Undefined when the source
   * is not indexed or gone, or a document of these bytes or no right is there.
   */
  insertCopy(
    copy: DocumentCopy,
    dueAt: number,
  ): Promise<Pick<DocumentRecord, "id" | "sha256" | "bytes"> | undefined>;
  /** The file is stored, so the task is due. False when the document was deleted or has failed meanwhile. */
  enqueue(documentId: string, now: number): Promise<boolean>;
  /** Replaces the tags of a document, in its metadata too. */
  setTags(id: string, ownerId: string, tags: readonly string[]): Promise<void>;
  /** Makes the tasks of these indexed documents due and clears their errors. */
  requestReindex(documentIds: readonly string[], now: number): Promise<void>;
  /** False when the lease has ended. */
  holds(lease: DocumentLease): Promise<boolean>;
  /** The task runs in the lane of large documents from its next claim on. */
  moveToLargeLane(lease: DocumentLease): Promise<void>;
  saveProgress(lease: DocumentLease, progress: IngestionProgress): Promise<boolean>;
  fail(lease: DocumentLease, error: DocumentError): Promise<void>;
  /** The document stays indexed with its old vectors. */
  failReindex(lease: DocumentLease, error: DocumentError): Promise<void>;
  /**
   * Hides the document, frees its hash for a new upload and ends every lease on it. The caller gets a lease to remove
   * the rest until the task is due at `dueAt`. Undefined when the document does not exist or is being deleted.
   */
  markDeleting(id: string, dueAt: number): Promise<DocumentLease | undefined>;
  /**
   * Fails a document that is being ingested and ends every lease on it. Its task is due at `now` and removes what was
   * stored. False when it is not being ingested.
   */
  stop(id: string, now: number): Promise<boolean>;
  /** The row and its task, after everything that refers to them. */
  remove(lease: DocumentLease): Promise<void>;
  /** After a start: work that an ended process left is due now. `isAlone`: no other process can be working on it. */
  resume(now: number, isAlone: boolean): Promise<void>;
  /** Makes the tasks of documents of this model due whose index is older than `version`. */
  requestIndexUpdate(modelId: string, version: number, now: number): Promise<void>;
}

export interface IngestionProgress {
  pages: number;
  pagesDone: number;
  chunks: number;
  chunksDone: number;
  /** Scanned pages whose text is recognized. Known only to the process that ingests the document. */
  ocrPages?: number;
  ocrPagesDone?: number;
}

export interface DocumentStore extends DocumentReads, DocumentWork {}

/** The record as the API shows it. Document routes use snake_case. */
export function toDocumentView(
  document: DocumentRecord,
  modelId: string,
  progress: IngestionProgress | undefined,
): DocumentView {
  const isIndexed = document.status === "indexed";
  return {
    document_id: document.id,
    title: document.title,
    media_type: document.mediaType,
    tags: document.metadata.tags ?? [],
    metadata: document.metadata,
    pages: progress?.pages ?? document.pages,
    pages_done: progress?.pagesDone ?? (isIndexed ? document.pages : document.pagesDone),
    ocr_pages: progress?.ocrPages ?? 0,
    ocr_pages_done: progress?.ocrPagesDone ?? 0,
    pages_without_text: document.pagesWithoutText,
    chunks: progress?.chunks ?? document.chunks,
    chunks_done: progress?.chunksDone ?? (isIndexed ? document.chunks : document.chunksDone),
    bytes: document.bytes,
    status: document.status === "deleting" ? "processing" : document.status,
    error: isIndexed ? null : document.error,
    needs_reindex: document.modelId !== null && document.modelId !== modelId,
    created_at: toIso(document.createdAt),
  };
}
