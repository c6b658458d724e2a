import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { ContentStore } from "../store/content-store.ts";
import { embeddingText } from "../retrieve/retrieve.ts";
import { createVectorEncoder } from "../retrieve/vector-encoder.ts";
import type { DocumentLease } from "./document-task.ts";

const SLICE_CHUNKS = 32;

/** Embeds the stored chunks with the current model and replaces the vectors in one write. */
export async function embedAgain(
  lease: DocumentLease,
  {
    store,
    embedding,
  }: { store: Pick<ContentStore, "chunkTexts" | "replaceVectors">; embedding: EmbeddingModel },
  signal: AbortSignal,
): Promise<void> {
  const { documentId, ownerId } = lease;
  const { title, texts } = await store.chunkTexts(documentId);
  const encoder = createVectorEncoder();
  for (let i = 0; i < texts.length; i += SLICE_CHUNKS) {
    const slice = texts.slice(i, i + SLICE_CHUNKS).map((text) => embeddingText(title, text));
    encoder.add(await embedding.embed(slice, signal));
    signal.throwIfAborted();
  }
  await store.replaceVectors(lease, { documentId, ownerId, modelId: embedding.id, ...encoder.finish() });
}
