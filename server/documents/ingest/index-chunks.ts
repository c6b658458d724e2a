import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { sentencesOf } from "../answer/quote.ts";
import { createSignEncoder } from "../retrieve/sentence-signs.ts";
import { createVectorEncoder } from "../retrieve/vector-encoder.ts";
import { encodeVectors } from "../retrieve/vector-encoding.ts";
import type { ChunkIndex, DocumentIndex } from "../store/content-store.ts";
import type { Chunk } from "./chunk.ts";
import { indexTerms, indexText } from "./index-text.ts";

/**
 * Raise it with every change of `indexTerms`, of the cut of sentences, or of the embedded text: documents of a lower
 * version are indexed again after a start.
 */
export const INDEX_VERSION = 7;

/** Chunks that are stored in one write, which no turn of the event loop may spend more than 50 ms on. */
export const SLICE_CHUNKS = 16;

type CutChunk = Pick<Chunk, "ordinal" | "text" | "spans" | "heading">;

/** Computes the terms and vectors of a document, slice by slice and in order. */
export function createChunkIndexer(embedding: EmbeddingModel, title: string, signal: AbortSignal) {
  const chunkVectors = createVectorEncoder();
  const sentenceSigns = createSignEncoder();
  let totalTerms = 0;

  return {
    async add<T extends CutChunk>(chunks: readonly T[]): Promise<(T & ChunkIndex)[]> {
      const texts = chunks.map((chunk) => indexText(title, chunk));
      const sentenceTexts = chunks.map((chunk) => sentencesOf(chunk).map(({ text }) => text));
      // Overlapping chunks share sentences: each distinct one is embedded once.
      const distinct = [...new Set(sentenceTexts.flat())];
      const vectors = await embedding.embed([...texts, ...distinct], signal);
      const vectorOf = new Map(distinct.map((text, i) => [text, vectors[texts.length + i]!]));
      const sentences = sentenceTexts.map((own) => own.map((text) => vectorOf.get(text)!));
      signal.throwIfAborted();
      chunkVectors.add(vectors.slice(0, texts.length));
      sentenceSigns.add(sentences);
      return chunks.map((chunk, i) => {
        const terms = indexTerms(title, chunk);
        totalTerms += terms.length;
        return { ...chunk, terms, sentences: encodeVectors(sentences[i] ?? []) };
      });
    },
    finish(): Omit<DocumentIndex, "documentId" | "ownerId"> {
      return {
        modelId: embedding.id,
        ...chunkVectors.finish(),
        sentences: sentenceSigns.finish(),
        indexVersion: INDEX_VERSION,
        terms: totalTerms,
      };
    },
  };
}
