import type { PageSpan } from "./chunk.ts";
import type { PageText } from "./extract/page-text.ts";
import type { LexicalStore } from "./lexical.ts";
import type { PageStore } from "./quote.ts";
import type { ChunkStore, StoredChunk } from "./retrieve.ts";

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

/** What stands in the documents. Nothing of it is found before `finish` has said that all of it is there. */
export interface ContentStore extends LexicalStore, ChunkStore, PageStore {
  addPages(documentId: string, pages: readonly PageText[]): Promise<void>;
  addChunks(ownerId: string, documentId: string, chunks: readonly NewChunk[]): Promise<void>;
  /** False when the document is gone or was finished by somebody else. */
  finish(document: FinishedDocument): Promise<boolean>;
  /** Removes pages, chunks, words and vectors; the record stays. */
  clear(ownerId: string, documentId: string): Promise<void>;
  chunk(documentId: string, chunkId: string): Promise<StoredChunk>;
  /** The texts of a document's chunks, to be embedded anew. */
  chunkTexts(documentId: string): Promise<{ title: string; texts: string[] }>;
  replaceVectors(vectors: StoredVectors): Promise<boolean>;
  /** The model's vectors of all documents that are indexed, in the order of their ids. */
  vectors(
    model: { id: string; dimensions: number },
    afterId: string,
    limit: number,
  ): Promise<StoredVectors[]>;
}
