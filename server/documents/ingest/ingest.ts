import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { claimOf } from "./document-claim.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { DocumentRecord } from "../store/document-record.ts";
import type { IngestionProgress } from "./ingestion-progress.ts";
import { extractDocument, type ExtractedDocument } from "../extract/extract.ts";
import { embeddingText, indexTerms } from "../retrieve/retrieve.ts";
import { createVectorEncoder } from "../retrieve/vector-encoder.ts";

export interface IngestDeps {
  store: ContentStore;
  embedding: EmbeddingModel;
  tokenizerFile: string;
}

const SLICE_CHUNKS = 32;

/**
 * A file → pages, chunks and vectors in the store. Nothing of it is found before the last write, which is one. Throws
 * `claimLost` as soon as it writes into a document that is another's by now, or gone.
 */
export async function ingest(
  document: DocumentRecord,
  path: string,
  { store, embedding, tokenizerFile }: IngestDeps,
  { signal, progress }: { signal: AbortSignal; progress: IngestionProgress },
): Promise<void> {
  const claim = claimOf(document);
  const extracted = await extractDocument(path, {
    tokenizerFile,
    signal,
    onProgress(done, total) {
      progress.pages = total;
      progress.pagesDone = done;
    },
    takePages: (pages) => store.addPages(claim, pages),
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
        slice.map(({ text }) => embeddingText(title, text)),
        signal,
      ),
    );
    signal.throwIfAborted();
    const rows = slice.map(({ ordinal, text, spans }) => {
      return { id: createId("chunk"), ordinal, text, spans, terms: indexTerms(title, text) };
    });
    await store.addChunks(claim, rows);
    terms += rows.reduce((sum, row) => sum + row.terms.length, 0);
    progress.chunksDone += slice.length;
  }

  signal.throwIfAborted();
  await store.finish(claim, {
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

/** The uploader's own title goes before the file's; the record's is the name of the file until then. */
function titleOf({ metadata, title }: DocumentRecord, extracted: ExtractedDocument): string {
  return metadata.title ?? extracted.title ?? title;
}

export function documentDeleted(): AppError {
  return new AppError("document_deleted", "The document was deleted while it was being taken in.");
}
