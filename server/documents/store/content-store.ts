import type { ChunkSpan } from "../ingest/chunk.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import type { PageText } from "../extract/page-text.ts";
import type { LexicalStore } from "../retrieve/lexical.ts";
import type { PageStore } from "../answer/quote.ts";
import type { EvidenceStore } from "../retrieve/candidates.ts";
import type { ChunkStore, StoredChunk } from "../retrieve/retrieve.ts";

export interface NewChunk {
  id: string;
  ordinal: number;
  text: string;
  spans: ChunkSpan[];
  heading?: string;
  /** The indexed terms, in order. */
  terms: string[];
  /** The vectors of its sentences: the output of `encodeVectors`. */
  sentences: Uint8Array;
}

/** The fields of a chunk that are computed from its text. */
export type ChunkIndex = Pick<NewChunk, "ordinal" | "terms" | "sentences">;

export interface StoredVectors {
  documentId: string;
  ownerId: string;
  modelId: string;
  dimensions: number;
  vectors: Uint8Array;
  /** The signs of all sentence vectors (`encodeSentenceSigns`); null in an index older than version 1. */
  sentences: Uint8Array | null;
}

/** The vectors of a whole document that was indexed by this version. */
export interface DocumentIndex extends StoredVectors {
  indexVersion: number;
  /** Total number of terms in all chunks. */
  terms: number;
}

export interface FinishedDocument extends DocumentIndex {
  title: string;
  pages: number;
  pagesWithoutText: number[];
  chunks: number;
}

/** A document was indexed, embedded again, moved or deleted by any process. */
export interface DocumentChange {
  /** 1, 2, 3 … in commit order. */
  number: number;
  documentId: string;
}

interface Model {
  id: string;
  dimensions: number;
}

/**
 * The content of documents. No search finds any of a document's before `finish`. A method that takes a lease does all
 * of its work or throws `leaseLost`.
 */
export interface ContentStore extends LexicalStore, EvidenceStore, ChunkStore, PageStore {
  addPages(lease: DocumentLease, pages: readonly PageText[]): Promise<void>;
  /** `modelId` is the model of the sentence vectors. */
  addChunks(lease: DocumentLease, modelId: string, chunks: readonly NewChunk[]): Promise<void>;
  finish(lease: DocumentLease, document: FinishedDocument): Promise<void>;
  /** Removes pages, chunks, terms and vectors; the record stays. */
  clear(lease: DocumentLease): Promise<void>;
  chunk(documentId: string, chunkId: string): Promise<StoredChunk>;
  /** Some chunks of an indexed document, in order, from this ordinal on. */
  chunksFrom(documentId: string, ordinal: number, limit: number): Promise<StoredChunk[]>;
  /** Terms and sentence vectors of some chunks. Searches find the old or the new ones. */
  replaceChunks(lease: DocumentLease, modelId: string, chunks: readonly ChunkIndex[]): Promise<void>;
  /** After all chunks are replaced. */
  finishReindex(lease: DocumentLease, index: DocumentIndex): Promise<void>;
  /** Gives the words of a moved document to its new owner; does nothing when they have moved. */
  moveWords(lease: DocumentLease): Promise<void>;
  /**
   * Pages, chunks and vectors of another document with the same bytes, and finishes the document. False when that one is
   * gone or was indexed again meanwhile: the caller clears the rest.
   */
  copyContent(lease: DocumentLease, sourceId: string, signal: AbortSignal): Promise<boolean>;
  /** Vectors of indexed documents of this model, by document id. */
  vectors(model: Model, afterId: string, limit: number): Promise<StoredVectors[]>;
  /** The same for the given documents. */
  vectorsOf(model: Model, documentIds: readonly string[]): Promise<StoredVectors[]>;
  lastChange(): Promise<number>;
  /** In order. If the first is not the next number, the log no longer has those between. */
  changesAfter(number: number): Promise<DocumentChange[]>;
}
