import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { ContentStore } from "../store/content-store.ts";
import { embeddingText } from "../retrieve/retrieve.ts";
import { createVectorEncoder } from "../retrieve/vector-encoder.ts";

const SLICE = 32;

/**
 * Embeds a document anew with the model of today. Its old vectors stay until the new ones are all there. False when it
 * was deleted meanwhile: there is nothing to index any more.
 */
export async function reindexDocument(
  ownerId: string,
  documentId: string,
  {
    store,
    embedding,
  }: { store: Pick<ContentStore, "chunkTexts" | "replaceVectors">; embedding: EmbeddingModel },
  signal: AbortSignal,
): Promise<boolean> {
  const { title, texts } = await store.chunkTexts(documentId);
  const encoder = createVectorEncoder();
  for (let i = 0; i < texts.length; i += SLICE) {
    const slice = texts.slice(i, i + SLICE).map((text) => embeddingText(title, text));
    encoder.add(await embedding.embed(slice, signal));
    signal.throwIfAborted();
  }
  return store.replaceVectors({ documentId, ownerId, modelId: embedding.id, ...encoder.finish() });
}
