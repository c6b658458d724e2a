import { EventEmitter, once } from "node:events";
import type { Readable } from "node:stream";
import type { PageQuery } from "../../contract/api.ts";
import type { DocumentView } from "../../contract/documents.ts";
import type { Clock } from "../lib/clock.ts";
import { notFound, unavailable } from "../lib/errors.ts";
import type { Page } from "../lib/page.ts";
import type { EmbeddingModel } from "../models/embedding/embedding-model.ts";
import { type Answer, createAnswerer } from "./answer/answer.ts";
import type { AnswerModel } from "./answer/grounded.ts";
import type { ContentStore } from "./store/content-store.ts";
import type { DocumentFiles } from "./store/document-files.ts";
import { type DocumentRecord, type DocumentStore, toDocumentView } from "./store/document-record.ts";
import { type Box, boxesOf } from "./extract/page-text.ts";
import { createIngestion } from "./ingest/ingestion.ts";
import { reindexDocument } from "./ingest/reindex.ts";
import { createRetriever, type StoredChunk } from "./retrieve/retrieve.ts";
import { createSearchIndex } from "./retrieve/search-index.ts";
import { createTakeUp } from "./ingest/resume-ingestion.ts";
import { createUploads, type Upload } from "./ingest/uploads.ts";
import { mismatch } from "./retrieve/vector-encoding.ts";

export interface DocumentsDeps {
  records: DocumentStore;
  store: ContentStore;
  files: DocumentFiles;
  embedding: EmbeddingModel;
  /** Measures chunks in word pieces. */
  tokenizerFile: string;
  clock: Clock;
  /** Unset: answers are the best sentences of the best passages. */
  answerModel?: AnswerModel;
  /** Among several processes: so long after its last renewal a document's claim is another's to take. */
  leaseMs?: number | undefined;
  /** Tells every process, this one too, that a document has changed. It may be lost. */
  tell(documentId: string): void;
  onError(error: unknown, what: string): void;
}

export interface DocumentQuestion {
  query: string;
  documentIds?: readonly string[];
  /** Only documents that carry one of these. */
  tags?: readonly string[];
  topK?: number;
  signal?: AbortSignal;
}

export interface LocatedChunk extends StoredChunk {
  /** The boxes of each of its spans. */
  boxes: Box[][];
}

export interface Documents {
  /** Takes hold of the file whatever happens. The same bytes give the same document: `created` is false then. */
  upload(ownerId: string, upload: Upload): Promise<{ document: DocumentRecord; created: boolean }>;
  get(ownerId: string, id: string): Promise<DocumentView>;
  list(ownerId: string, page: PageQuery, tag?: string): Promise<Page<DocumentView>>;
  remove(ownerId: string, id: string): Promise<void>;
  file(ownerId: string, id: string): Promise<{ stream: Readable; bytes: number; title: string }>;
  chunk(ownerId: string, id: string, chunkId: string): Promise<LocatedChunk>;
  query(ownerId: string, question: DocumentQuestion): Promise<Answer>;
  /** Embeds anew what another model has embedded. `end` resolves when all of it is done. */
  reindex(ownerId: string): Promise<{ documents: number; end: Promise<void> }>;
  /** Goes on with what an ended process has left in the middle, now and whenever another one ends. */
  recover(): Promise<void>;
  /** A document has changed, here or in another process; or something may have been missed. */
  heard(): void;
  /** Leaves ingestion where it is, for the next start; questions are still answered. */
  stopIngesting(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_TOP_K = 5;
/** Hints may be lost: whoever waits for a document looks at it this often all the same. */
const LOOK_MS = 1000;

export function createDocuments(deps: DocumentsDeps): Documents {
  const { records, store, embedding, answerModel, tell } = deps;
  const index = createSearchIndex({ store, embedding });
  const ingestion = createIngestion(deps);
  const takeUp = createTakeUp({ ...deps, ingestion });
  const news = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const reindexing = new Map<string, Promise<void>>();

  async function nextNews(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LOOK_MS)]);
    await once(news, "heard", { signal }).catch(() => closing.signal.throwIfAborted());
  }

  async function scopeOf(
    ownerId: string,
    { documentIds, tags }: DocumentQuestion,
  ): Promise<string[] | undefined> {
    let ids = documentIds && documentIds.length > 0 ? [...new Set(documentIds)] : undefined;
    // One answer for a foreign and for an unknown id, whichever it was: nothing of the others' is told.
    if (ids && (await records.ownedAmong(ownerId, ids)).length !== ids.length) throw notFound("document");
    if (tags && tags.length > 0) {
      const tagged = await records.tagged(ownerId, tags);
      ids = ids ? ids.filter((id) => tagged.includes(id)) : tagged;
    }
    return ids;
  }

  const view = (document: DocumentRecord): DocumentView =>
    toDocumentView(document, embedding.id, ingestion.progressOf(document.id));

  async function reindexAll(ownerId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids)
      if (await reindexDocument(ownerId, id, { store, embedding }, closing.signal)) tell(id);
  }

  async function stopIngesting(): Promise<void> {
    closing.abort(unavailable("The service is stopping."));
    await Promise.allSettled([takeUp.close(), ingestion.close(), ...reindexing.values()]);
  }

  return {
    upload: createUploads({ ...deps, ingestion, news: nextNews }),

    async get(ownerId, id) {
      return view(await records.owned(id, ownerId));
    },

    async list(ownerId, page, tag) {
      const { items, nextCursor } = await records.list(ownerId, page, tag);
      return { items: items.map(view), nextCursor };
    },

    async remove(ownerId, id) {
      await ingestion.remove(await records.owned(id, ownerId));
    },

    async file(ownerId, id) {
      const { title } = await records.owned(id, ownerId);
      return { ...(await deps.files.read(id)), title };
    },

    async chunk(ownerId, id, chunkId) {
      await records.owned(id, ownerId);
      const chunk = await store.chunk(id, chunkId);
      const keys = chunk.spans.map(({ page }) => ({ documentId: id, page }));
      const pages = new Map((await store.pages({ ownerId }, keys)).map((page) => [page.page, page]));
      const boxes = chunk.spans.map(({ page, start, end }) =>
        boxesOf(pages.get(page) ?? { runs: [] }, start, end),
      );
      return { ...chunk, boxes };
    },

    async query(ownerId, question) {
      const documentIds = await scopeOf(ownerId, question);
      const { vectors, model } = await index.open();
      const [outdated] = await records.ofOtherModel(ownerId, model, documentIds);
      if (outdated !== undefined) throw mismatch(outdated);
      const answer = createAnswerer({
        retrieve: createRetriever({ embedding, index: vectors, store }),
        embedding,
        store,
        ...(answerModel && { model: answerModel }),
      });
      return answer({
        query: question.query,
        scope: { ownerId, ...(documentIds && { documentIds }) },
        topK: question.topK ?? DEFAULT_TOP_K,
        ...(question.signal && { signal: question.signal }),
      });
    },

    async reindex(ownerId) {
      const { model } = await index.open();
      const ids = await records.ofOtherModel(ownerId, model);
      // A second request joins the one that is under way.
      const end =
        reindexing.get(ownerId) ?? reindexAll(ownerId, ids).finally(() => reindexing.delete(ownerId));
      reindexing.set(ownerId, end);
      return { documents: ids.length, end };
    },

    recover: () => takeUp.begin(),

    heard() {
      index.heard();
      takeUp.look();
      news.emit("heard");
    },

    stopIngesting,

    async close() {
      await stopIngesting();
      await embedding.close();
    },
  };
}
