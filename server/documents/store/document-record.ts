import type { DocumentMetadata, DocumentView } from "../../../contract/documents.ts";
import type { PageQuery } from "../../../contract/api.ts";
import { toIso } from "../../lib/clock.ts";
import type { Page } from "../../lib/page.ts";
import type { Claim } from "../ingest/document-claim.ts";
import type { IngestionProgress } from "../ingest/ingestion-progress.ts";

/** `deleting` is seen by nobody: what is left of such a document is being removed. */
export type DocumentStatus = "processing" | "indexed" | "failed" | "deleting";

export interface DocumentRecord {
  id: string;
  ownerId: string;
  sha256: string;
  status: DocumentStatus;
  title: string;
  metadata: DocumentMetadata;
  bytes: number;
  pages: number;
  pagesWithoutText: number[];
  chunks: number;
  /** Whose vectors it has; null before it has any. */
  modelId: string | null;
  error: { code: string; message: string } | null;
  /** How many processes have begun to take it in. */
  attempts: number;
  /** How often it was claimed: see document-claim.ts. */
  epoch: number;
  /** How far a process has come that takes it in; of another's a little behind. */
  pagesDone: number;
  chunksDone: number;
  createdAt: number;
}

/** What is known before anything of a document is read. */
type UnreadDocument = Pick<
  DocumentRecord,
  "id" | "ownerId" | "sha256" | "title" | "metadata" | "bytes" | "createdAt"
>;

/** With the first claim on it. */
export function unread(known: UnreadDocument): DocumentRecord {
  return {
    ...known,
    status: "processing",
    pages: 0,
    pagesWithoutText: [],
    chunks: 0,
    modelId: null,
    error: null,
    attempts: 1,
    epoch: 1,
    pagesDone: 0,
    chunksDone: 0,
  };
}

export interface DocumentStore {
  /** With its first claim. False when the owner has a document of these bytes already. */
  begin(document: DocumentRecord): Promise<boolean>;
  owned(id: string, ownerId: string): Promise<DocumentRecord>;
  byHash(ownerId: string, sha256: string): Promise<DocumentRecord | undefined>;
  list(ownerId: string, page: PageQuery, tag?: string): Promise<Page<DocumentRecord>>;
  /** Those of the ids that are the owner's, or all of the owner's that carry one of the tags. */
  ownedAmong(ownerId: string, ids: readonly string[]): Promise<string[]>;
  tagged(ownerId: string, tags: readonly string[]): Promise<string[]>;
  /** Documents whose vectors are not this model's, of all of the owner's or of the chosen ones. */
  ofOtherModel(
    ownerId: string,
    model: { id: string; dimensions: number },
    documentIds?: readonly string[],
  ): Promise<string[]>;
  /** Claims one that is to be taken in or removed and whose claim was not renewed since; the oldest first. */
  claimAbandoned(renewedBefore: number, now: number): Promise<DocumentRecord | undefined>;
  /** False when the claim is another's by now. */
  renew(claim: Claim, progress: IngestionProgress, now: number): Promise<boolean>;
  /** Whoever looks next may claim it at once. */
  release(claim: Claim): Promise<void>;
  /** For one who knows that he is alone: no claim is held any more. */
  releaseAll(): Promise<void>;
  fail(claim: Claim, error: { code: string; message: string }): Promise<void>;
  /**
   * From here on nobody sees it, its bytes may be uploaded anew, and the claim to remove what hangs on it is the caller's.
   * Undefined when somebody else removes it already, or when `held` is no longer the claim.
   */
  markDeleting(id: string, now: number, held?: Claim): Promise<Claim | undefined>;
  /** The row itself, after everything that hangs on it. */
  remove(claim: Claim): Promise<void>;
}

/** The record as the API shows it: the document routes speak snake_case. */
export function toDocumentView(
  document: DocumentRecord,
  modelId: string,
  progress: IngestionProgress | undefined,
): DocumentView {
  const isIn = document.status === "indexed";
  return {
    document_id: document.id,
    title: document.title,
    tags: document.metadata.tags ?? [],
    metadata: document.metadata,
    pages: progress?.pages ?? document.pages,
    pages_done: progress?.pagesDone ?? (isIn ? document.pages : document.pagesDone),
    pages_without_text: document.pagesWithoutText,
    chunks: progress?.chunks ?? document.chunks,
    chunks_done: progress?.chunksDone ?? (isIn ? document.chunks : document.chunksDone),
    bytes: document.bytes,
    status: document.status === "deleting" ? "processing" : document.status,
    error: document.error,
    needs_reindex: document.modelId !== null && document.modelId !== modelId,
    created_at: toIso(document.createdAt),
  };
}
