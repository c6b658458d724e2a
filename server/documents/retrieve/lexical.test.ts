import { expect, test } from "vitest";
import { coverage, termWeights } from "./lexical.ts";

const statistics = {
  chunks: 100,
  containing: new Map([
    ["rare", 1],
    ["common", 80],
  ]),
};

test("a rare word weighs more than a common one", () => {
  const weights = termWeights(["rare", "common"], statistics);
  expect(weights.get("rare")).toBeGreaterThan(weights.get("common")!);
  expect(weights.get("common")).toBeGreaterThan(0);
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
    containing: new Map([["found", 1]]),
  });
  expect(coverage(weights, ["found"])).toBeGreaterThan(0.45);
});
