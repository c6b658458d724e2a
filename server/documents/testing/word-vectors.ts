import { createHash } from "node:crypto";
import { type EmbeddingModel, toUnitLength } from "../../models/embedding/embedding-model.ts";
import { termsOf } from "../retrieve/terms.ts";

const DIMENSIONS = 128;

/** A deterministic embedding model for tests: texts that share terms have similar vectors. */
export const wordVectors: EmbeddingModel = {
  id: "word-vectors",
  dimensions: DIMENSIONS,
  embed: (texts, signal) => {
    signal?.throwIfAborted();
    return Promise.resolve(texts.map(vectorOf));
  },
  close: () => Promise.resolve(),
};

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const term of termsOf(text)) {
    const hash = createHash("sha256").update(term).digest();
    for (let i = 0; i < DIMENSIONS; i++) vector[i]! += ((hash[i % 32] ?? 0) >> (i >> 5)) & 1 ? 1 : -1;
  }
  return toUnitLength(vector);
}
