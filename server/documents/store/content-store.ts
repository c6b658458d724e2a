import type { PageSpan } from "../ingest/chunk.ts";
import type { IndexedText } from "../ingest/index-text.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import type { PageText } from "../extract/page-text.ts";
import type { LexicalStore } from "../retrieve/lexical.ts";
import type { PageStore } from "../answer/quote.ts";
import type { ChunkStore, StoredChunk } from "../retrieve/retrieve.ts";

export interface NewChunk {
  id: string;
  ordinal: number;
  text: string;
  spans: PageSpan[];
  heading?: string;
  /** The indexed terms, in order. */
  terms: string[];
}

export interface StoredVectors {
  documentId: string;
  ownerId: string;
  modelId: string;
  dimensions: number;
  vectors: Uint8Array;
}

export interface FinishedDocument extends StoredVectors {
  title: string;
  pages: number;
  pagesWithoutText: number[];
  chunks: number;
  /** Total number of terms in all chunks. */
  terms: number;
}

/** A document was indexed, embedded again or deleted by any process. */
export interface DocumentChange {
  /** 1, 2, 3 … in commit order. */
  number: number;
  documentId: string;
  ownerId: string;
}

interface Model {
  id: string;
  dimensions: number;
}

/**
 * The content of documents. No search finds any of a document's before `finish`. A method that takes a lease does all
 * of its work or throws `leaseLost`.
 */
export interface ContentStore extends LexicalStore, ChunkStore, PageStore {
  addPages(lease: DocumentLease, pages: readonly PageText[]): Promise<void>;
  addChunks(lease: DocumentLease, chunks: readonly NewChunk[]): Promise<void>;
  finish(lease: DocumentLease, document: FinishedDocument): Promise<void>;
  /** Removes pages, chunks, terms and vectors; the record stays. */
  clear(lease: DocumentLease): Promise<void>;
  chunk(documentId: string, chunkId: string): Promise<StoredChunk>;
  /** The texts of a document's chunks, in order. */
  chunkTexts(documentId: string): Promise<{ title: string; chunks: IndexedText[] }>;
  replaceVectors(lease: DocumentLease, vectors: StoredVectors): Promise<void>;
  /** Vectors of indexed documents of this model, by document id. */
  vectors(model: Model, afterId: string, limit: number): Promise<StoredVectors[]>;
  /** The same for the given documents. */
  vectorsOf(model: Model, documentIds: readonly string[]): Promise<StoredVectors[]>;
  lastChange(): Promise<number>;
  /** In order. If the first is not the next number, the log no longer has those between. */
  changesAfter(number: number): Promise<DocumentChange[]>;
}
