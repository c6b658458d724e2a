import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { DocumentLease } from "./document-task.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { DocumentRecord } from "../store/document-record.ts";
import type { IngestionProgress } from "../store/document-record.ts";
import { extractDocument, type ExtractedDocument, type ExtractOptions } from "../extract/extract.ts";
import { indexTerms, indexText } from "./index-text.ts";
import { createVectorEncoder } from "../retrieve/vector-encoder.ts";

export interface IngestDeps {
  store: ContentStore;
  embedding: EmbeddingModel;
  tokenizerFile: string;
  /** Replaced by evaluations, whose documents are not always files. */
  extract?: (path: string, options: ExtractOptions) => Promise<ExtractedDocument>;
  hourlyPages?: { assertLeft(ownerId: string): void; add(ownerId: string, amount: number): void } | undefined;
}

const SLICE_CHUNKS = 32;

/**
 * A file → pages, chunks and vectors in the store. No search finds any of it before `finish`, which is one write. Throws
 * `leaseLost` at the first write after the task was claimed by another process or the document was deleted.
 */
export async function ingest(
  document: DocumentRecord,
  lease: DocumentLease,
  path: string,
  { store, embedding, tokenizerFile, extract = extractDocument, hourlyPages }: IngestDeps,
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
    onPages(pages) {
      hourlyPages?.add(document.ownerId, pages.length);
      return store.addPages(lease, pages);
    },
  });
  const { chunks, pagesWithoutText } = extracted;
  progress.chunks = chunks.length;
  const title = titleOf(document, extracted);

  const encoder = createVectorEncoder();
  let terms = 0;
  for (let i = 0; i < chunks.length; i += SLICE_CHUNKS) {
    const slice = chunks.slice(i, i + SLICE_CHUNKS);
    encoder.add(
      await embedding.embed(
        slice.map((chunk) => indexText(title, chunk)),
        signal,
      ),
    );
    signal.throwIfAborted();
    const rows = slice.map((chunk) => ({
      ...chunk,
      id: createId("chunk"),
      terms: indexTerms(title, chunk),
    }));
    await store.addChunks(lease, rows);
    terms += rows.reduce((sum, row) => sum + row.terms.length, 0);
    progress.chunksDone += slice.length;
  }

  signal.throwIfAborted();
  await store.finish(lease, {
    documentId: document.id,
    ownerId: document.ownerId,
    modelId: embedding.id,
    ...encoder.finish(),
    title,
    pages: progress.pages,
    pagesWithoutText,
    chunks: chunks.length,
    terms,
  });
}

/** The title from the upload, else the PDF's own, else the file name, which the record holds until then. */
function titleOf({ metadata, title }: DocumentRecord, extracted: ExtractedDocument): string {
  return metadata.title ?? extracted.title ?? title;
}

/** Embeds the stored chunks with the current model and replaces the vectors in one write. */
export async function reembed(
  lease: DocumentLease,
  {
    store,
    embedding,
  }: { store: Pick<ContentStore, "chunkTexts" | "replaceVectors">; embedding: EmbeddingModel },
  signal: AbortSignal,
): Promise<void> {
  const { documentId, ownerId } = lease;
  const { title, chunks } = await store.chunkTexts(documentId);
  const encoder = createVectorEncoder();
  for (let i = 0; i < chunks.length; i += SLICE_CHUNKS) {
    const slice = chunks.slice(i, i + SLICE_CHUNKS).map((chunk) => indexText(title, chunk));
    encoder.add(await embedding.embed(slice, signal));
    signal.throwIfAborted();
  }
  await store.replaceVectors(lease, { documentId, ownerId, modelId: embedding.id, ...encoder.finish() });
}

export function documentDeleted(): AppError {
  return new AppError("document_deleted", "The document was deleted while it was being ingested.");
}
