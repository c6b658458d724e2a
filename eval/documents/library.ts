import { extractDocument } from "../../server/documents/extract/extract.ts";
import { createMemoryStore } from "../../server/documents/memory-store.ts";
import { embeddingText } from "../../server/documents/retrieve.ts";
import { encodeVectors } from "../../server/documents/vector-code.ts";
import { createVectorIndex, type VectorIndex } from "../../server/documents/vector-index.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { buildPdf } from "./build-pdf.ts";
import type { EvalDocument } from "./corpus/corpus-types.ts";

export const OWNER = "user_eval";

export interface Library {
  index: VectorIndex;
  store: ReturnType<typeof createMemoryStore>;
  /** What was drawn on each page of each document. */
  truth: Map<string, string[]>;
  pages: number;
  chunks: number;
  embeddingCpuMs: number;
}

/** Sets, reads, chunks, embeds and indexes the documents, and counts what that costs. */
export async function buildLibrary(
  documents: readonly EvalDocument[],
  embedding: EmbeddingModel,
): Promise<Library> {
  const index = createVectorIndex({ id: embedding.id, dimensions: embedding.dimensions ?? 0 });
  const store = createMemoryStore();
  const library: Library = {
    index,
    store,
    truth: new Map(),
    pages: 0,
    chunks: 0,
    embeddingCpuMs: 0,
  };
  for (const { id, title, ...rest } of documents) {
    const { bytes, pageTexts } = await buildPdf({ id, title, ...rest });
    library.truth.set(id, pageTexts);
    const { pages, chunks } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
    const start = cpuMs();
    const vectors = await embedding.embed(chunks.map((chunk) => embeddingText(title, chunk.text)));
    library.embeddingCpuMs += cpuMs() - start;
    library.pages += pages.length;
    library.chunks += chunks.length;
    index.add({ documentId: id, ownerId: OWNER, modelId: embedding.id, vectors: encodeVectors(vectors) });
    store.add({
      ownerId: OWNER,
      documentId: id,
      pages,
      chunks: chunks.map((chunk) => ({
        documentId: id,
        title,
        chunkId: `chunk_${id}_${chunk.ordinal}`,
        ...chunk,
      })),
    });
  }
  return library;
}

export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
