import { expect, test } from "vitest";
import { wordVectors } from "../testing/word-vectors.ts";
import type { Passage } from "../retrieve/retrieve.ts";
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
  vectorTrust: 1,
  unknownNames: [],
};

async function answerOf(topK: number, passages: Passage[] = [passage], confidence: "high" | "low" = "low") {
  return extractiveAnswer(
    { passages, question, chunksInScope: 1 },
    { query: question.text, scope: { ownerId: "user_a" }, topK },
    { confidence, embedding: wordVectors, store: { pages: () => Promise.resolve(pages) } },
  );
}
const sourcesOf = async (topK: number, passages?: Passage[]) => (await answerOf(topK, passages)).sources;

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

test("further quotes of a page follow the best quote of every page", async () => {
  const onPage = (page: number, start: number, end: number, relevance: number): Passage => ({
    ...passage,
    relevance,
    sentenceCosines: [0.5],
    chunk: {
      ...chunk,
      chunkId: `chunk_${page}_${start}`,
      text: texts[page - 1]!.slice(start, end),
      spans: [{ page, start, end }],
    },
  });
  const sources = await sourcesOf(5, [
    onPage(1, 0, 15, 0.4),
    onPage(1, 16, 24, 0.39),
    onPage(2, 0, texts[1]!.length, 0.3),
  ]);
  expect(sources.map(({ page, relevance }) => [page, relevance])).toEqual([
    [1, 0.4],
    [2, 0.3],
    [1, 0.3],
  ]);
});

test("no source has a relevance below 0", async () => {
  const far = { ...passage, relevance: 0.1, sentenceCosines: [0.1, 0.9, 0.3] };
  expect((await sourcesOf(5, [far])).map(({ relevance }) => relevance)).toEqual([0.1, 0, 0]);
});

test("the confidence is high only if one page of a passage is ahead of the others, however many are requested", async () => {
  const withCosines = (...sentenceCosines: number[]): Passage[] => [{ ...passage, sentenceCosines }];
  for (const topK of [1, 5]) {
    const clear = await answerOf(topK, withCosines(0.1, 0.9, 0.3), "high");
    expect(clear).toMatchObject({ confidence: "high", answer: expect.stringContaining("most relevant") });
    const close = await answerOf(topK, withCosines(0.1, 0.5, 0.45), "high");
    expect(close).toMatchObject({ confidence: "low", answer: expect.stringContaining("No passage clearly") });
  }
});

test("a page of a passage beyond the requested ones counts for the confidence", async () => {
  const other = { ...chunk, chunkId: "chunk_2", text: texts[0]!, spans: [chunk.spans[0]!] };
  const first = {
    ...passage,
    chunk: { ...chunk, text: texts[1]!, spans: [chunk.spans[1]!] },
    sentenceCosines: [0.5],
  };
  const second = { ...passage, chunk: other, relevance: 0.39, sentenceCosines: [0.5] };
  expect((await answerOf(1, [first], "high")).confidence).toBe("high");
  const answer = await answerOf(1, [first, second], "high");
  expect(answer).toMatchObject({ confidence: "low", sources: [{ page: 2 }] });
  expect(answer.answer).not.toContain(texts[0]);
});
