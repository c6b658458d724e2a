import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContentStore } from "../../server/documents/store/content-store.ts";
import { extractDocument } from "../../server/documents/extract/extract.ts";
import { indexTerms, indexText } from "../../server/documents/ingest/index-text.ts";
import { createVectorEncoder } from "../../server/documents/retrieve/vector-encoder.ts";
import { createVectorIndex, type VectorIndex } from "../../server/documents/retrieve/vector-index.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { buildPdf } from "./build-pdf.ts";
import type { EvalDocument } from "./corpus/corpus-types.ts";
import { createBareDocument, leaseOf, openStore } from "./store.ts";

export const OWNER = "user_eval";

export interface Library {
  index: VectorIndex;
  store: ContentStore;
  /** The text of each page of each document. */
  truth: Map<string, string[]>;
  pages: number;
  chunks: number;
  embeddingCpuMs: number;
  close(): Promise<void>;
}

/** Ids are terms of the word index, so they must have the format of the service's ids. */
export function documentIdOf(evalId: string): string {
  return `doc_${evalId.replaceAll("-", "_")}`;
}

/** Renders, extracts, chunks, embeds and indexes the documents in a real store, and measures the cost. */
export async function buildLibrary(
  documents: readonly EvalDocument[],
  embedding: EmbeddingModel,
): Promise<Library> {
  const folder = await mkdtemp(join(tmpdir(), "baton-eval-"));
  const { db, records, store } = await openStore(folder, OWNER);
  const library: Library = {
    index: createVectorIndex({ id: embedding.id, dimensions: embedding.dimensions ?? 0 }),
    store,
    truth: new Map(),
    pages: 0,
    chunks: 0,
    embeddingCpuMs: 0,
    async close() {
      await db.close();
      await rm(folder, { recursive: true });
    },
  };

  for (const document of documents) {
    const { title } = document;
    const { bytes, pageTexts } = await buildPdf(document);
    library.truth.set(document.id, pageTexts);
    const { pages, chunks } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
    const start = cpuMs();
    const vectors = await embedding.embed(chunks.map((chunk) => indexText(title, chunk)));
    library.embeddingCpuMs += cpuMs() - start;
    library.pages += pages.length;
    library.chunks += chunks.length;

    const documentId = documentIdOf(document.id);
    const rows = chunks.map((chunk) => ({
      ...chunk,
      id: `chunk_${documentId}_${chunk.ordinal}`,
      terms: indexTerms(title, chunk),
    }));
    const encoder = createVectorEncoder();
    encoder.add(vectors);
    const encoded = { documentId, ownerId: OWNER, modelId: embedding.id, ...encoder.finish() };
    const bare = createBareDocument(documentId, OWNER, title);
    const lease = leaseOf(bare);
    await records.insert(bare, 0);
    await store.addPages(lease, pages);
    await store.addChunks(lease, rows);
    await store.finish(lease, {
      ...encoded,
      title,
      pages: pages.length,
      pagesWithoutText: [],
      chunks: chunks.length,
      terms: rows.reduce((sum, { terms }) => sum + terms.length, 0),
    });
    library.index.add(encoded);
  }
  return library;
}

export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
