import type { DocumentMetadata, DocumentView } from "../../contract/documents.ts";
import type { PageQuery } from "../../contract/api.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";
import type { IngestionProgress } from "./ingest.ts";

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
  createdAt: number;
}

export interface DocumentStore {
  /** False when the owner has a document of these bytes already. */
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
  /** What a process that ended has left in the middle, oldest first. */
  unfinished(): Promise<DocumentRecord[]>;
  countAttempt(id: string): Promise<void>;
  fail(id: string, error: { code: string; message: string }): Promise<void>;
  /** From here on nobody sees it, and its bytes may be uploaded anew. */
  markDeleting(id: string): Promise<void>;
  /** The row itself, after everything that hangs on it. */
  remove(id: string): Promise<void>;
}

/** The record as the API shows it: the document routes speak snake_case. */
export function toDocumentView(
  document: DocumentRecord,
  modelId: string,
  progress: IngestionProgress | undefined,
): DocumentView {
  return {
    document_id: document.id,
    title: document.title,
    tags: document.metadata.tags ?? [],
    metadata: document.metadata,
    pages: progress?.pages ?? document.pages,
    pages_done: progress?.pagesDone ?? document.pages,
    pages_without_text: document.pagesWithoutText,
    chunks: progress?.chunks ?? document.chunks,
    chunks_done: progress?.chunksDone ?? document.chunks,
    bytes: document.bytes,
    status: document.status === "deleting" ? "processing" : document.status,
    error: document.error,
    needs_reindex: document.modelId !== null && document.modelId !== modelId,
    created_at: toIso(document.createdAt),
  };
}
