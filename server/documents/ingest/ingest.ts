import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { DocumentLease } from "./document-task.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { DocumentRecord } from "../store/document-record.ts";
import type { IngestionProgress } from "../store/document-record.ts";
import { extractDocument, type ExtractedDocument, type ExtractOptions } from "../extract/extract.ts";
import type { Recognize } from "../extract/ocr/recognizer.ts";
import { createChunkIndexer, SLICE_CHUNKS } from "./index-chunks.ts";

export interface IngestDeps {
  store: ContentStore;
  embedding: EmbeddingModel;
  tokenizerFile: string;
  /** Replaced by evaluations, whose documents are not always files. */
  extract?: (path: string, options: ExtractOptions) => Promise<ExtractedDocument>;
  /** Recognizes the text of scanned pages. Unset: they have no text. */
  recognize?: Recognize | undefined;
  hourlyPages?: { assertLeft(ownerId: string): void; add(ownerId: string, amount: number): void } | undefined;
}

/**
 * A file → pages, chunks and vectors in the store. No search finds any of it before `finish`, which is one write. Throws
 * `leaseLost` at the first write after the task was claimed by another process or the document was deleted.
 */
export async function ingest(
  document: DocumentRecord,
  lease: DocumentLease,
  path: string,
  { store, embedding, tokenizerFile, extract = extractDocument, recognize, hourlyPages }: IngestDeps,
  { signal, progress }: { signal: AbortSignal; progress: IngestionProgress },
): Promise<void> {
  hourlyPages?.assertLeft(document.ownerId);
  const extracted = await extract(path, {
    tokenizerFile,
    signal,
    onProgress(done, total) {
      progress.pages = total;
      progress.pagesDone = done;
    },
    recognize,
    onRecognized(done, total) {
      progress.ocrPages = total;
      progress.ocrPagesDone = done;
    },
    onPages(pages) {
      hourlyPages?.add(document.ownerId, pages.length);
      return store.addPages(lease, pages);
    },
  });
  const { chunks, pagesWithoutText } = extracted;
  progress.chunks = chunks.length;
  const title = titleOf(document, extracted);

  const indexer = createChunkIndexer(embedding, title, signal);
  for (let i = 0; i < chunks.length; i += SLICE_CHUNKS) {
    const rows = await indexer.add(chunks.slice(i, i + SLICE_CHUNKS));
    await store.addChunks(
      lease,
      embedding.id,
      rows.map((row) => ({ ...row, id: createId("chunk") })),
    );
    progress.chunksDone += rows.length;
  }

  signal.throwIfAborted();
  await store.finish(lease, {
    documentId: document.id,
    ownerId: document.ownerId,
    ...indexer.finish(),
    title,
    pages: progress.pages,
    pagesWithoutText,
    chunks: chunks.length,
  });
}

/** The title from the upload, else the file's own, else the file name, which the record holds until then. */
function titleOf({ metadata, title }: DocumentRecord, extracted: ExtractedDocument): string {
  return metadata.title ?? extracted.title ?? title;
}

/** Computes terms and vectors again from the stored chunks. The document can be searched meanwhile. */
export async function reindexDocument(
  lease: DocumentLease,
  { store, embedding }: Pick<IngestDeps, "store" | "embedding">,
  signal: AbortSignal,
): Promise<void> {
  const { documentId, ownerId } = lease;
  let chunks = await store.chunksFrom(documentId, 0, SLICE_CHUNKS);
  const indexer = createChunkIndexer(embedding, chunks[0]?.title ?? "", signal);
  while (chunks.length > 0) {
    await store.replaceChunks(lease, embedding.id, await indexer.add(chunks));
    chunks = await store.chunksFrom(documentId, (chunks.at(-1)?.ordinal ?? 0) + 1, SLICE_CHUNKS);
  }
  await store.finishReindex(lease, { documentId, ownerId, ...indexer.finish() });
}

export function documentDeleted(): AppError {
  return new AppError("document_deleted", "The document was deleted while it was being ingested.");
}
