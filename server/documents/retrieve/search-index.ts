import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { ContentStore } from "../store/content-store.ts";
import { createVectorIndex, type VectorIndex } from "./vector-index.ts";

/**
 * The vectors of all documents in memory, opened at the first question: without documents it costs nothing. What other
 * processes have changed since stands in the store's log of changes; it is read before every question, so a lost hint
 * costs nobody an answer.
 */
export interface SearchIndex {
  /** In step with whatever was indexed, embedded anew or deleted before the call, by whichever process. */
  open(): Promise<OpenIndex>;
  /** Something has changed: an index that is open catches up now, and the next question need not wait for it. */
  heard(): void;
}

export interface OpenIndex {
  vectors: VectorIndex;
  model: { id: string; dimensions: number };
}

interface ReadIndex extends OpenIndex {
  /** The number of the last change that is in it. */
  upTo: number;
}

const DOCUMENTS_A_READ = 32;

/** The id and vector length of a model. A remote model reveals the length only with its first response. */
export async function identifyModel(
  embedding: EmbeddingModel,
  signal?: AbortSignal,
): Promise<OpenIndex["model"]> {
  const dimensions = embedding.dimensions ?? (await embedding.embed(["length"], signal))[0]?.length ?? 0;
  return { id: embedding.id, dimensions };
}

export function createSearchIndex({
  store,
  embedding,
}: {
  store: Pick<ContentStore, "vectors" | "vectorsOf" | "lastChange" | "changesAfter">;
  embedding: EmbeddingModel;
}): SearchIndex {
  let index: ReadIndex | undefined;
  let running: Promise<OpenIndex> | undefined;
  let next: Promise<OpenIndex> | undefined;

  async function read(): Promise<ReadIndex> {
    const model = await identifyModel(embedding);
    // First: what changes while the vectors are being read is then read once more, and nothing is missed.
    const upTo = await store.lastChange();
    const vectors = createVectorIndex(model);
    for (let after = ""; ;) {
      const documents = await store.vectors(model, after, DOCUMENTS_A_READ);
      for (const document of documents) vectors.add(document);
      const last = documents.at(-1);
      if (last === undefined) break;
      after = last.documentId;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { model, vectors, upTo };
  }

  async function catchUp(open: ReadIndex): Promise<ReadIndex> {
    const changes = await store.changesAfter(open.upTo);
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return open;
    // So far behind that the log no longer goes back to where we were.
    if (first.number !== open.upTo + 1) return read();
    const owners = new Map(changes.map(({ documentId, ownerId }) => [documentId, ownerId]));
    const ids = [...owners.keys()];
    for (let i = 0; i < ids.length; i += DOCUMENTS_A_READ) {
      const slice = ids.slice(i, i + DOCUMENTS_A_READ);
      const found = new Map(
        (await store.vectorsOf(open.model, slice)).map((entry) => [entry.documentId, entry]),
      );
      for (const id of slice) {
        const document = found.get(id);
        if (document) open.vectors.add(document);
        else open.vectors.remove(owners.get(id)!, id);
      }
    }
    open.upTo = last.number;
    return open;
  }

  function start(): Promise<OpenIndex> {
    next = undefined;
    const step = async (): Promise<OpenIndex> => (index = await (index ? catchUp(index) : read()));
    running = step().finally(() => (running = undefined));
    return running;
  }

  /** A look that is under way may have been too early for this caller; all who come meanwhile share the next one. */
  function open(): Promise<OpenIndex> {
    if (next) return next;
    if (!running) return start();
    return (next = running.then(start, start));
  }

  return {
    open,
    heard() {
      // What fails here fails again with the next question, which tells it.
      if (index) open().catch(() => undefined);
    },
  };
}
