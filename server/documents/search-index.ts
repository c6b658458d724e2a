import type { EmbeddingModel } from "../models/embedding/embedding-model.ts";
import type { ContentStore, StoredVectors } from "./document-content.ts";
import { createVectorIndex, type VectorIndex } from "./vector-index.ts";

/** The vectors of all documents in memory, opened at the first question: without documents it costs nothing. */
export interface SearchIndex {
  open(): Promise<OpenIndex>;
  /** Kept in step with the store; what is not open yet will read it from there. */
  add(vectors: StoredVectors): void;
  remove(ownerId: string, documentId: string): void;
}

export interface OpenIndex {
  vectors: VectorIndex;
  model: { id: string; dimensions: number };
}

const DOCUMENTS_A_READ = 32;

export function createSearchIndex({
  store,
  embedding,
}: {
  store: Pick<ContentStore, "vectors">;
  embedding: EmbeddingModel;
}): SearchIndex {
  let opening: Promise<OpenIndex> | undefined;
  let index: OpenIndex | undefined;
  // A document that goes while the index is being read must not come back with a page that was read before.
  let removedMeanwhile: Set<string> | undefined;

  async function read(): Promise<OpenIndex> {
    // A remote model tells the length of its vectors only with its first answer.
    const dimensions = embedding.dimensions ?? (await embedding.embed(["length"]))[0]?.length ?? 0;
    const model = { id: embedding.id, dimensions };
    const open = { model, vectors: createVectorIndex(model) };
    const removed = new Set<string>();
    removedMeanwhile = removed;
    index = open;
    for (let after = ""; ;) {
      const documents = await store.vectors(model, after, DOCUMENTS_A_READ);
      for (const document of documents) if (!removed.has(document.documentId)) open.vectors.add(document);
      const last = documents.at(-1);
      if (last === undefined) break;
      after = last.documentId;
      await new Promise((resolve) => setImmediate(resolve));
    }
    removedMeanwhile = undefined;
    return open;
  }

  return {
    open() {
      opening ??= read().catch((error: unknown) => {
        opening = undefined;
        index = undefined;
        throw error;
      });
      return opening;
    },
    add: (document) => index?.vectors.add(document),
    remove(ownerId, documentId) {
      removedMeanwhile?.add(documentId);
      index?.vectors.remove(ownerId, documentId);
    },
  };
}
