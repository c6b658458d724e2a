import { expect, test } from "vitest";
import { rankCandidates, relevanceOf } from "./fuse.ts";

const scores = {
  ordinal: 0,
  cosine: 0,
  sentenceCosine: 0,
  sentenceCosines: [],
  coverage: 0,
  isOfStatement: false,
};

test("a near chunk or a near sentence raises the relevance, and so do words of the question", () => {
  const base = relevanceOf({ ...scores, cosine: 0.4, sentenceCosine: 0.4, coverage: 0.2 });
  expect(relevanceOf({ ...scores, cosine: 0.6, sentenceCosine: 0.4, coverage: 0.2 })).toBeGreaterThan(base);
  expect(relevanceOf({ ...scores, cosine: 0.4, sentenceCosine: 0.6, coverage: 0.2 })).toBeGreaterThan(base);
  expect(relevanceOf({ ...scores, cosine: 0.4, sentenceCosine: 0.4, coverage: 0.4 })).toBeGreaterThan(base);
});

test("a few matching words do not outvote the meaning", () => {
  const paraphrase = relevanceOf({ ...scores, cosine: 0.55, sentenceCosine: 0.65, coverage: 0 });
  const sharedWords = relevanceOf({ ...scores, cosine: 0.25, sentenceCosine: 0.3, coverage: 0.5 });
  expect(paraphrase).toBeGreaterThan(sharedWords);
});

test("a statement that the question is about outranks pages that mention its words, in the first document only", () => {
  const of = (documentId: string, ordinal: number, cosine: number, isOfStatement = false) => ({
    ...scores,
    documentId,
    ordinal,
    cosine,
    sentenceCosine: cosine,
    coverage: 0.4,
    isOfStatement,
  });
  const ranked = rankCandidates([
    of("doc_a", 0, 0.6),
    of("doc_a", 1, 0.45, true),
    of("doc_b", 0, 0.5, true),
    of("doc_a", 2, 0.25, true),
  ]);
  expect(ranked.map(({ documentId, ordinal }) => `${documentId} ${ordinal}`)).toEqual([
    "doc_a 1",
    "doc_a 0",
    "doc_b 0",
    "doc_a 2",
  ]);
  expect(rankCandidates([of("doc_a", 0, 1, true)])[0]?.relevance).toBeLessThanOrEqual(1);
});

test("relevance is within 0 and 1", () => {
  expect(relevanceOf({ ...scores, cosine: 1.001, sentenceCosine: 1.001, coverage: 1 })).toBe(1);
  expect(relevanceOf({ ...scores, cosine: -0.2, sentenceCosine: -0.1 })).toBe(0);
});
