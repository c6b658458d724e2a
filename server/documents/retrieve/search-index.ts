import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { ContentStore } from "../store/content-store.ts";
import { createVectorIndex, type VectorIndex } from "./vector-index.ts";

/**
 * The vectors of all documents in memory, read at the first question, so a service without documents pays nothing. The
 * store logs every change; each question reads the log first, so it sees the changes of other processes although a hint
 * was lost.
 */
export interface SearchIndex {
  /** Includes everything that any process indexed, embedded again or deleted before the call. */
  open(): Promise<OpenIndex>;
  /** A hint that something has changed: an open index catches up now, so the next question does not wait for it. */
  refresh(): void;
}

export interface OpenIndex {
  vectors: VectorIndex;
  model: { id: string; dimensions: number };
}

interface ReadIndex extends OpenIndex {
  /** The number of the last change it includes. */
  upTo: number;
}

const DOCUMENTS_PER_READ = 32;

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
    // Before the vectors: a change during the read is applied again by the next catch-up, so none is missed.
    const upTo = await store.lastChange();
    const vectors = createVectorIndex(model);
    for (let after = ""; ;) {
      const documents = await store.vectors(model, after, DOCUMENTS_PER_READ);
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
    // The log no longer reaches back to the last change of this index.
    if (first.number !== open.upTo + 1) return read();
    const ids = [...new Set(changes.map(({ documentId }) => documentId))];
    for (let i = 0; i < ids.length; i += DOCUMENTS_PER_READ) {
      const slice = ids.slice(i, i + DOCUMENTS_PER_READ);
      const found = new Map(
        (await store.vectorsOf(open.model, slice)).map((entry) => [entry.documentId, entry]),
      );
      for (const id of slice) {
        const document = found.get(id);
        if (document) open.vectors.add(document);
        else open.vectors.remove(id);
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

  /** A running read may have started before the caller's change, so callers share the read that follows it. */
  function open(): Promise<OpenIndex> {
    if (next) return next;
    if (!running) return start();
    return (next = running.then(start, start));
  }

  return {
    open,
    refresh() {
      // The next question fails for the same reason and reports it.
      if (index) open().catch(() => undefined);
    },
  };
}
