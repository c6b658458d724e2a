import type { Readable } from "node:stream";
import type { PageQuery } from "../../contract/api.ts";
import type { DocumentMetadata, DocumentView } from "../../contract/documents.ts";
import type { Clock } from "../lib/clock.ts";
import { notFound, unavailable } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Page } from "../lib/page.ts";
import type { EmbeddingModel } from "../models/embedding/embedding-model.ts";
import { type Answer, createAnswerer } from "./answer/answer.ts";
import type { AnswerModel } from "./answer/grounded.ts";
import type { ContentStore } from "./document-content.ts";
import type { DocumentFiles, ReceivedFile } from "./document-files.ts";
import { type DocumentRecord, type DocumentStore, toDocumentView } from "./document-record.ts";
import { type Box, boxesOf } from "./extract/page-text.ts";
import { createIngestion } from "./ingestion.ts";
import { reindexDocument } from "./reindex.ts";
import { createRetriever, type StoredChunk } from "./retrieve.ts";
import { createSearchIndex } from "./search-index.ts";
import { mismatch } from "./vector-code.ts";

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
  onError(error: unknown, what: string): void;
}

export interface Upload {
  file: ReceivedFile;
  fileName: string;
  metadata: DocumentMetadata;
  /** False: answer as soon as the record is there. */
  wait: boolean;
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
  /** Goes on with what an ended process has left in the middle. */
  recover(): Promise<void>;
  /** Leaves ingestion where it is, for the next start; questions are still answered. */
  stopIngesting(): Promise<void>;
  close(): Promise<void>;
}

interface Arrival {
  document: DocumentRecord;
  created: boolean;
  /** Undefined when nothing is under way any more. */
  end: Promise<void> | undefined;
}

const DEFAULT_TOP_K = 5;

export function createDocuments(deps: DocumentsDeps): Documents {
  const { records, store, files, embedding, clock, answerModel } = deps;
  const index = createSearchIndex({ store, embedding });
  const ingestion = createIngestion({ ...deps, index });
  const closing = new AbortController();
  // Two uploads of the same bytes at once: the second waits until the first has its record.
  const arrivals = new Map<string, Promise<unknown>>();
  const reindexing = new Map<string, Promise<void>>();

  async function arrive(ownerId: string, upload: Upload): Promise<Arrival> {
    const { file, metadata } = upload;
    const known = await records.byHash(ownerId, file.sha256);
    if (known && known.status !== "failed")
      return { document: known, created: false, end: ingestion.underWay(known.id) };
    // The same bytes after a failure are another try.
    if (known) await ingestion.remove(known);
    const id = createId("doc");
    const document: DocumentRecord = {
      id,
      ownerId,
      sha256: file.sha256,
      status: "processing",
      title: metadata.title ?? titleFrom(upload.fileName),
      metadata,
      bytes: file.bytes,
      pages: 0,
      pagesWithoutText: [],
      chunks: 0,
      modelId: null,
      error: null,
      attempts: 1,
      createdAt: clock.now(),
    };
    if (!(await records.begin(document)))
      throw unavailable("The same file is just being uploaded; try again.");
    await files.keep(file, id);
    const end = ingestion.start(document, { keepFailure: !upload.wait });
    // Whoever waits hears of a failure below; otherwise the record tells it.
    end.catch(() => {});
    return { document, created: true, end };
  }

  function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turn = (arrivals.get(key) ?? Promise.resolve()).then(act, act);
    arrivals.set(key, turn);
    const leave = (): void => {
      if (arrivals.get(key) === turn) arrivals.delete(key);
    };
    turn.then(leave, leave);
    return turn;
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
    for (const id of ids) await reindexDocument(ownerId, id, { store, embedding, index }, closing.signal);
  }

  async function stopIngesting(): Promise<void> {
    closing.abort(unavailable("The service is stopping."));
    await Promise.allSettled([ingestion.close(), ...reindexing.values()]);
  }

  return {
    async upload(ownerId, upload) {
      try {
        const key = `${ownerId} ${upload.file.sha256}`;
        const { document, created, end } = await inTurn(key, () => arrive(ownerId, upload));
        if (!upload.wait) return { document, created };
        await end;
        return { document: await records.owned(document.id, ownerId), created };
      } finally {
        // Gone already when it was kept.
        await upload.file.discard();
      }
    },

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
      return { ...(await files.read(id)), title };
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

    recover: () => ingestion.recover(),

    stopIngesting,

    async close() {
      await stopIngesting();
      await embedding.close();
    },
  };
}

/** The name of a file is the uploader's text: without its folders, its ending and what is not printed. */
function titleFrom(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  const tidy = name
    .replace(/\.pdf$/i, "")
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();
  return tidy.slice(0, 300) || "Untitled";
}
