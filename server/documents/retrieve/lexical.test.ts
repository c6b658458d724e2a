import { expect, test } from "vitest";
import { bm25, coverage, termWeights } from "./lexical.ts";

const statistics = {
  chunks: 100,
  averageLength: 4,
  containing: new Map([
    ["rare", 1],
    ["common", 80],
  ]),
};
const candidate = (...terms: string[]) => ({ documentId: "doc", ordinal: 0, terms });

test("a rare word counts more than a common one, and a short chunk more than a long one", () => {
  const [rare = 0, common = 0, long = 0] = bm25(
    [
      candidate("rare", "a", "b", "c"),
      candidate("common", "a", "b", "c"),
      candidate("rare", ..."abcdefghijkl"),
    ],
    ["rare", "common"],
    statistics,
  );
  expect(rare).toBeGreaterThan(common);
  expect(rare).toBeGreaterThan(long);
  expect(common).toBeGreaterThan(0);
});

test("coverage is the weighted share of the question's words", () => {
  const weights = termWeights(["rare", "common"], statistics);
  expect(coverage(weights, ["rare", "common", "other"])).toBe(1);
  expect(coverage(weights, ["rare"])).toBeGreaterThan(0.5);
  expect(coverage(weights, [])).toBe(0);
  expect(coverage(new Map(), ["rare"])).toBe(0);
});

test("in a library of one chunk a missing term does not outweigh a found one", () => {
  const weights = termWeights(["found", "missing"], {
    chunks: 1,
    averageLength: 9,
    containing: new Map([["found", 1]]),
  });
  expect(coverage(weights, ["found"])).toBeGreaterThan(0.45);
});
