import type { PageSpan } from "../ingest/chunk.ts";
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
  /** What the chunk is found under, in order. */
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
  /** How many terms all chunks have together. */
  terms: number;
}

/** A document was indexed, embedded anew or deleted, by whichever process. */
export interface DocumentChange {
  /** 1, 2, 3 … in the order in which the changes happened. */
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
  chunkTexts(documentId: string): Promise<{ title: string; texts: string[] }>;
  replaceVectors(lease: DocumentLease, vectors: StoredVectors): Promise<void>;
  /** The model's vectors of all documents that are indexed, in the order of their ids. */
  vectors(model: Model, afterId: string, limit: number): Promise<StoredVectors[]>;
  /** The same of those among the ids that are indexed. */
  vectorsOf(model: Model, documentIds: readonly string[]): Promise<StoredVectors[]>;
  lastChange(): Promise<number>;
  /** In order. When the first is not the next number, those between are no longer kept. */
  changesAfter(number: number): Promise<DocumentChange[]>;
}
