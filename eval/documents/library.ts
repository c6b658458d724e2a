import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Documents } from "../../server/documents/documents.ts";
import {
  extractDocument,
  type ExtractedDocument,
  type ExtractOptions,
} from "../../server/documents/extract/extract.ts";
import { chunkPages } from "../../server/documents/ingest/chunk.ts";
import { indexTerms } from "../../server/documents/ingest/index-text.ts";
import { ingest } from "../../server/documents/ingest/ingest.ts";
import { noProgress } from "../../server/documents/ingest/ingestion-progress.ts";
import { type Candidate, findCandidates } from "../../server/documents/retrieve/candidates.ts";
import { createSearchIndex } from "../../server/documents/retrieve/search-index.ts";
import type { ChunkKey } from "../../server/documents/retrieve/vector-index.ts";
import { createRetriever, type Retriever } from "../../server/documents/retrieve/retrieve.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { loadWordPiece } from "../../server/models/embedding/tokenizer-file.ts";
import { buildPdf } from "./build-pdf.ts";
import type { EvalDocument } from "./corpus/corpus-types.ts";
import type { SetDocument } from "./eval-set.ts";
import { createBareDocument, leaseOf, openDocuments, openStore } from "./store.ts";

export const OWNER = "user_eval";

/** A chunk that the searches found, before any formula. */
export interface FoundChunk extends Candidate {
  pages: number[];
  terms: readonly string[];
}

export interface Library {
  query: Documents["query"];
  /** The passages alone, before an answer is made of them. */
  retrieve: Retriever;
  /** What the searches find in all documents, with the weights of the question's words. */
  candidates(query: string): Promise<{ chunks: FoundChunk[]; weights: ReadonlyMap<string, number> }>;
  /** The text of each page of each document. */
  truth: Map<string, readonly string[]>;
  pages: number;
  chunks: number;
  embeddingCpuMs: number;
  close(): Promise<void>;
}

/** Ids are terms of the word index, so they must have the format of the service's ids. */
export function documentIdOf(evalId: string): string {
  return `doc_${createHash("sha256").update(evalId).digest("hex").slice(0, 20)}`;
}

interface Source {
  extract(options: ExtractOptions): Promise<ExtractedDocument>;
  pageTexts: readonly string[];
}

/**
 * Extracts, chunks, embeds and indexes documents with the code of the service in a real store, and measures the cost.
 * `documentEmbedding` may serve the vectors of documents from a cache; questions are always embedded.
 */
export async function buildLibrary(
  documents: readonly (EvalDocument | SetDocument)[],
  embedding: EmbeddingModel,
  documentEmbedding: EmbeddingModel = embedding,
): Promise<Library> {
  const folder = await mkdtemp(join(tmpdir(), "baton-eval-"));
  const opened = await openStore(folder, OWNER);
  const { db, records, store } = opened;
  const service = openDocuments(opened, folder, embedding);
  const index = createSearchIndex({ store, embedding });
  const library: Library = {
    query: service.query,
    async retrieve(question) {
      const { vectors } = await index.open();
      return createRetriever({ embedding, index: vectors, store })(question);
    },
    async candidates(query) {
      const { vectors } = await index.open();
      const scope = { ownerId: OWNER };
      const { candidates, question } = await findCandidates(
        { query, scope },
        { embedding, index: vectors, store },
      );
      const nameOf = ({ documentId, ordinal }: ChunkKey): string => `${documentId}:${ordinal}`;
      const stored = new Map((await store.chunks(scope, candidates)).map((chunk) => [nameOf(chunk), chunk]));
      const chunks = candidates.flatMap((candidate): FoundChunk[] => {
        const chunk = stored.get(nameOf(candidate));
        if (!chunk) return [];
        const pages = chunk.spans.map(({ page }) => page);
        return [{ ...candidate, pages, terms: indexTerms(chunk.title, chunk) }];
      });
      return { chunks, weights: question.weights };
    },
    truth: new Map(),
    pages: 0,
    chunks: 0,
    embeddingCpuMs: 0,
    async close() {
      await db.close();
      await rm(folder, { recursive: true });
    },
  };
  const measured: EmbeddingModel = {
    id: documentEmbedding.id,
    get dimensions() {
      return documentEmbedding.dimensions;
    },
    close: () => documentEmbedding.close(),
    async embed(texts, signal) {
      const start = cpuMs();
      const vectors = await documentEmbedding.embed(texts, signal);
      library.embeddingCpuMs += cpuMs() - start;
      return vectors;
    },
  };
  const { count } = await loadWordPiece(LOCAL_TOKENIZER_FILE);

  for (const document of documents) {
    const { extract, pageTexts } = await sourceOf(document, count);
    library.truth.set(document.id, pageTexts);
    const record = createBareDocument(documentIdOf(document.id), OWNER, document.title);
    await records.insert(record, 0);
    const progress = noProgress();
    await ingest(
      record,
      leaseOf(record),
      "",
      {
        store,
        embedding: measured,
        tokenizerFile: LOCAL_TOKENIZER_FILE,
        extract: (_path, options) => extract(options),
      },
      { signal: new AbortController().signal, progress },
    );
    library.pages += progress.pages;
    library.chunks += progress.chunks;
  }
  return library;
}

// Evaluations run on busy machines, and their files are not hostile.
const limits = { startMs: 600_000, maxCpuMs: 600_000 };

async function sourceOf(
  document: EvalDocument | SetDocument,
  count: (text: string) => number,
): Promise<Source> {
  if ("blocks" in document) {
    const { bytes, pageTexts } = await buildPdf(document);
    return { extract: (options) => extractDocument(bytes, { ...options, limits }), pageTexts };
  }
  const { file, pages = [] } = document;
  if (file !== undefined)
    return { extract: (options) => extractDocument(file, { ...options, limits }), pageTexts: [] };
  return { extract: (options) => extractPages(pages, options, count), pageTexts: pages };
}

/** What a reader of a format without layout gives to ingestion. */
async function extractPages(
  texts: readonly string[],
  { onProgress, onPages }: ExtractOptions,
  count: (text: string) => number,
): Promise<ExtractedDocument> {
  const pages = texts.map((text, i) => ({ page: i + 1, width: 0, height: 0, text, runs: [] }));
  onProgress?.(pages.length, pages.length);
  await onPages?.(pages);
  return { title: undefined, pages: [], chunks: chunkPages(pages, count), pagesWithoutText: [] };
}

export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
