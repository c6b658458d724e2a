import { expect, test } from "vitest";
import { wordVectors } from "../testing/word-vectors.ts";
import { extractiveAnswer } from "./extractive.ts";

const texts = ["The pool closes at nine.", "Caps are sold at the till.", "Lost things are kept for a month."];
const pages = texts.map((text, i) => ({
  documentId: "doc_1",
  page: i + 1,
  width: 0,
  height: 0,
  text,
  runs: [],
  location: `section ${i + 1}`,
}));
const chunk = {
  documentId: "doc_1",
  ordinal: 0,
  chunkId: "chunk_1",
  title: "Pool",
  text: texts.join("\n"),
  spans: texts.map((text, i) => ({ page: i + 1, start: 0, end: text.length })),
};
const passage = {
  chunk,
  relevance: 0.4,
  cosine: 0.4,
  sentenceCosine: 0.5,
  sentenceCosines: [0.1, 0.5, 0.3],
};
const question = {
  text: "Where is my towel?",
  vector: new Float32Array(128),
  weights: new Map(),
  knownShare: 1,
};

async function answerOf(topK: number) {
  return extractiveAnswer(
    { passages: [passage], question, chunksInScope: 1 },
    { query: question.text, scope: { ownerId: "user_a" }, topK },
    { confidence: "low", embedding: wordVectors, store: { pages: () => Promise.resolve(pages) } },
  );
}
const sourcesOf = async (topK: number) => (await answerOf(topK)).sources;

test("every page of a passage is a source, the page with the best quote first with its relevance", async () => {
  const sources = await sourcesOf(5);
  expect(sources.map(({ page, quote }) => [page, quote])).toEqual([
    [2, texts[1]],
    [3, texts[2]],
    [1, texts[0]],
  ]);
  const relevances = sources.map(({ relevance }) => relevance);
  expect(relevances[0]).toBe(0.4);
  expect(new Set(relevances).size).toBe(3);
  expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
});

test("an answer has as many sources as were requested", async () => {
  expect(await sourcesOf(2)).toHaveLength(2);
});

test("a quote names its section also when its page is no source", async () => {
  const { answer } = await answerOf(1);
  expect(answer).toContain(`“${texts[2]}” (Pool, section 3)`);
});
