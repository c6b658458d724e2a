import { expect, test } from "vitest";
import type { Passage } from "../retrieve/retrieve.ts";
import { demoteRepeats } from "./demote-repeats.ts";

function passage(documentId: string, relevance: number, vector?: readonly number[]): Passage {
  const chunk = { documentId, ordinal: 0, chunkId: documentId, title: "", text: "", spans: [] };
  const scores = { cosine: 0, sentenceCosines: [], sentenceCosine: 0 };
  return { chunk, relevance, ...scores, vector: vector && Float32Array.from(vector) };
}

const order = (passages: readonly Passage[]): string[] => passages.map(({ chunk }) => chunk.documentId);

const handbooks = [
  passage("handbook_a", 0.4, [1, 0]),
  passage("handbook_b", 0.39, [0.98, 0.2]),
  passage("handbook_c", 0.38, [0.95, 0.3]),
];

test("each higher passage of another document about the same subject takes something off", () => {
  const ordered = demoteRepeats([...handbooks, passage("letter", 0.33, [0, 1])], 1);
  expect(order(ordered)).toEqual(["handbook_a", "letter", "handbook_b", "handbook_c"]);
  const [first, letter, second, third] = ordered.map(({ relevance }) => relevance);
  expect(first).toBe(0.4);
  expect(letter).toBe(0.33);
  expect(second).toBeCloseTo(0.39 - 0.075);
  expect(third).toBeCloseTo(0.38 - 2 * 0.075);
});

test("a repetition that is much more relevant keeps its place", () => {
  const ordered = demoteRepeats([...handbooks.slice(0, 2), passage("letter", 0.3, [0, 1])], 1);
  expect(order(ordered)).toEqual(["handbook_a", "handbook_b", "letter"]);
});

test("passages of the same document, or without a vector, are no repetition", () => {
  const same = [passage("doc", 0.4, [1, 0]), passage("doc", 0.39, [1, 0]), passage("old", 0.38)];
  expect(demoteRepeats(same, 1)).toEqual(same);
});

test("vectors in a script that the model does not know say nothing about repetition", () => {
  expect(demoteRepeats(handbooks, 0)).toEqual(handbooks);
});

test("no relevance is below 0", () => {
  const [, second] = demoteRepeats([passage("a", 0.05, [1, 0]), passage("b", 0.04, [1, 0])], 1);
  expect(second?.relevance).toBe(0);
});
