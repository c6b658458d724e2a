import { EventEmitter, once } from "node:events";
import type { PageQuery } from "../../contract/api.ts";
import type { DocumentView } from "../../contract/documents.ts";
import type { Clock } from "../lib/clock.ts";
import { unavailable } from "../lib/errors.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { EmbeddingModel } from "../models/embedding/embedding-model.ts";
import type { SharedEmbedding } from "../models/embedding/shared-embedding.ts";
import { type AskDocuments, createAsk } from "./ask.ts";
import { createDocumentContent, type DocumentContent } from "./document-content.ts";
import { type NamedSources, type QuestionScope, readableAmong, scopesOf } from "./question-scope.ts";
import type { AnswerModel } from "./answer/grounded.ts";
import type { ContentStore } from "./store/content-store.ts";
import type { DocumentFiles } from "./store/document-files.ts";
import {
  type DocumentCopy,
  type DocumentFilter,
  type DocumentRecord,
  type DocumentStore,
  toDocumentView,
} from "./store/document-record.ts";
import { INDEX_VERSION } from "./ingest/index-chunks.ts";
import type { IngestDeps } from "./ingest/ingest.ts";
import { createIngestionStep } from "./ingest/ingestion-step.ts";
import { createReindex } from "./ingest/reindex.ts";
import { createRemoval } from "./ingest/removal.ts";
import { createSearchIndex } from "./retrieve/search-index.ts";
import { HANDOVER_MS } from "./ingest/document-task.ts";
import { storeFile } from "./ingest/store-file.ts";
import { createUploads, type Upload, type UploadsDeps } from "./ingest/uploads.ts";

export interface DocumentsDeps {
  records: DocumentStore;
  collections: UploadsDeps["collections"];
  store: ContentStore;
  files: DocumentFiles;
  embedding: EmbeddingModel;
  /** The same model, whose users take turns. Unset: every call starts at once. */
  shared?: SharedEmbedding;
  /** Pages of an owner that are read in an hour. Unset: no limit. */
  hourlyPages?: IngestDeps["hourlyPages"];
  /** Recognizes the text of scanned pages. Unset: they have no text. */
  recognize?: IngestDeps["recognize"];
  /** How long a document may hold a slot of the lane of small documents. */
  smallDocumentMs?: number;
  /** Measures chunks in word pieces. */
  tokenizerFile: string;
  clock: Clock;
  /** Unset: answers are the best sentences of the best passages. */
  answerModel?: AnswerModel;
  /** No other process shares the database. */
  isAlone: boolean;
  /** Tells every process, this one too, that a document has changed. The hint may be lost. */
  notify(documentId: string): void;
  /** The document's task may be due, or its run may have lost it: the engine checks at once. */
  nudge(documentId: string): void;
  onError(error: unknown, what: string): void;
}

/** An owner changes a document; a reader is its owner, or a workspace that reads it through a collection. */
export interface Documents extends DocumentContent {
  /** Takes ownership of the file. The same bytes give the same document: `created` is false then. */
  upload(ownerId: string, upload: Upload): Promise<{ document: DocumentRecord; created: boolean }>;
  get(readerId: string, id: string): Promise<DocumentView>;
  list(readerId: string, query: PageQuery, filter?: DocumentFilter): Promise<ResultPage<DocumentView>>;
  remove(ownerId: string, id: string): Promise<void>;
  /** Ends the ingestion of a document, which then has failed. False when it is not being ingested. */
  stop(id: string): Promise<boolean>;
  /** A document with the same file and content in another workspace. Undefined: see `insertCopy`. */
  copy(copy: DocumentCopy): Promise<{ id: string; bytes: number } | undefined>;
  /** The document has another owner: its words follow. */
  onMoved(id: string): void;
  /** Replaces the tags. */
  setTags(ownerId: string, id: string, tags: readonly string[]): Promise<DocumentView>;
  query: AskDocuments;
  /** Throws `document_not_found` or `collection_not_found` unless the user may query all of them. */
  requireReadable(
    readerId: string,
    scope: Pick<QuestionScope, "documentIds" | "collectionIds">,
  ): Promise<void>;
  /** Those that the user may query, without those that were deleted. */
  readableAmong(readerId: string, named: NamedSources): Promise<NamedSources>;
  /** Embeds documents of other models again. `end` resolves when all of them are done. */
  reindex(ownerId: string): Promise<{ documents: number; end: Promise<void> }>;
  /**
   * After a start and before the first upload: removes cut-off uploads, resumes interrupted work, and has documents of
   * an older index version indexed again in the background.
   */
  resume(): Promise<void>;
  /** The step with which the engine processes documents. */
  ingestion: Pick<ReturnType<typeof createIngestionStep>, "step" | "beforeFail">;
  /** A document has changed in some process, or a hint may have been missed. */
  onChange(): void;
  /** Stops ingestion where it is, for the next start. Questions are still answered. */
  stopIngesting(): Promise<void>;
  close(): Promise<void>;
}

/** Hints may be lost: a request that waits for a document also polls it at this interval. */
const POLL_MS = 1000;

export function createDocuments(deps: DocumentsDeps): Documents {
  const { records, store, files, embedding, answerModel, clock, nudge } = deps;
  const shared = deps.shared ?? { forQuestions: () => embedding, forDocuments: () => embedding };
  const index = createSearchIndex({ store, embedding });
  const changes = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();

  function notify(documentId: string): void {
    changes.emit("change");
    deps.notify(documentId);
  }

  async function nextChange(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(POLL_MS)]);
    await once(changes, "change", { signal }).catch(() => closing.signal.throwIfAborted());
  }

  const removal = createRemoval({
    records,
    store,
    files,
    clock,
    notify,
    onMarked(documentId) {
      ingestion.abort(documentId);
      nudge(documentId);
    },
  });
  const ingestion = createIngestionStep({ ...deps, shared, notify, removal });
  const reindex = createReindex({ records, clock, onEnqueued: nudge, nextChange });

  const view = (document: DocumentRecord): DocumentView =>
    toDocumentView(document, embedding.id, ingestion.progressOf(document.id));

  async function stopIngesting(): Promise<void> {
    closing.abort(unavailable("The service is stopping. Ingestion continues after the next start."));
    ingestion.close();
    await reindex.ended();
  }

  return {
    ingestion,
    upload: createUploads({
      collections: deps.collections,
      records,
      files,
      clock,
      remove: removal.remove,
      onEnqueued: nudge,
      nextChange,
    }),

    async get(readerId, id) {
      return view(await records.readable(id, readerId));
    },

    async list(readerId, query, filter) {
      const { items, nextCursor } = await records.list(readerId, query, filter);
      return { items: items.map(view), nextCursor };
    },

    async remove(ownerId, id) {
      await removal.remove((await records.owned(id, ownerId)).id);
    },

    stop: removal.stop,

    async copy(transfer) {
      const copy = await records.insertCopy(transfer, clock.now() + HANDOVER_MS);
      if (copy === undefined) return undefined;
      await storeFile({ records, files, clock, onEnqueued: nudge, remove: removal.remove }, copy.id, () =>
        files.copy(transfer.id, copy),
      );
      return copy;
    },

    onMoved(id) {
      ingestion.abort(id);
      notify(id);
      nudge(id);
    },

    async setTags(ownerId, id, tags) {
      await records.owned(id, ownerId);
      await records.setTags(id, ownerId, tags);
      return view(await records.owned(id, ownerId));
    },

    ...createDocumentContent({ records, store, files }),

    query: createAsk({ records, store, index, shared, ...(answerModel && { answerModel }) }),

    async requireReadable(readerId, scope) {
      await scopesOf(records, readerId, scope);
    },

    readableAmong: (readerId, named) => readableAmong(records, readerId, named),

    async reindex(ownerId) {
      const { model } = await index.open();
      return reindex.start(ownerId, model);
    },

    async resume() {
      await files.sweep(deps.isAlone);
      await records.resume(clock.now(), deps.isAlone);
      await records.requestIndexUpdate(embedding.id, INDEX_VERSION, clock.now());
    },

    onChange() {
      index.refresh();
      changes.emit("change");
    },

    stopIngesting,

    async close() {
      await stopIngesting();
      await embedding.close();
    },
  };
}
