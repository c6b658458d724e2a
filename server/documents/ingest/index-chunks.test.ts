import { expect, test } from "vitest";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { createSignEncoder, decodeSentenceSigns } from "../retrieve/sentence-signs.ts";
import { decodeVectors, dot } from "../retrieve/vector-encoding.ts";
import { wordVectors } from "../testing/word-vectors.ts";
import { createChunkIndexer } from "./index-chunks.ts";

const chunkOf = (ordinal: number, text: string) => ({
  ordinal,
  text,
  spans: [{ page: 1, start: 0, end: text.length }],
});
const chunks = [
  chunkOf(0, "Oil the bearing. Close the valve."),
  chunkOf(1, "Close the valve. Start the pump. Read the gauge."),
];

test("every sentence of a chunk has a vector, and a sentence of two chunks is embedded once", async () => {
  const embedded: string[] = [];
  const embedding: EmbeddingModel = {
    ...wordVectors,
    embed(texts, signal) {
      embedded.push(...texts);
      return wordVectors.embed(texts, signal);
    },
  };
  const indexer = createChunkIndexer(embedding, "Pumps", new AbortController().signal);
  const [first, second] = await indexer.add(chunks);
  expect(embedded.toSorted()).toEqual(
    [
      ...chunks.map(({ text }) => `Pumps\n${text}`),
      "Oil the bearing.",
      "Close the valve.",
      "Start the pump.",
      "Read the gauge.",
    ].toSorted(),
  );
  const [query] = await wordVectors.embed(["Start the pump."]);
  const [ofFirst, ofSecond] = [first, second].map((chunk) => decodeVectors(chunk!.sentences, 128));
  expect([ofFirst?.count, ofSecond?.count]).toEqual([2, 3]);
  expect(dot(query!, ofSecond!, 1)).toBeCloseTo(1, 2);

  const { vectors, sentences, terms, dimensions } = indexer.finish();
  expect(decodeVectors(vectors, dimensions).count).toBe(2);
  expect(terms).toBe(first!.terms.length + second!.terms.length);
  expect([...decodeSentenceSigns(sentences, 2, dimensions).starts]).toEqual([0, 2, 5]);
});

test("signs of another vector length are rejected", () => {
  const encoder = createSignEncoder();
  encoder.add([[new Float32Array(64)]]);
  const encoded = encoder.finish();
  expect(decodeSentenceSigns(encoded, 1, 64)).toMatchObject({ count: 1, signs: new Uint32Array(3) });
  expect(() => decodeSentenceSigns(encoded, 1, 128)).toThrow("another embedding model");
  expect(decodeSentenceSigns(null, 2, 64)).toMatchObject({ count: 0, starts: new Uint32Array(3) });
});
