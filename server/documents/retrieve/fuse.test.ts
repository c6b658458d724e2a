import { expect, test } from "vitest";
import { fuse } from "./fuse.ts";

test("hits of both searches rank before hits of one", () => {
  const [both = 0, meaning = 0, words = 0] = fuse([
    { cosine: 0.8, bm25: 9 },
    { cosine: 0.8, bm25: undefined },
    { cosine: 0.1, bm25: 9 },
  ]);
  expect(both).toBe(1);
  expect(meaning).toBe(0.5);
  expect(words).toBe(0.5);
});

test("a single hit and no hits are ranked", () => {
  expect(fuse([{ cosine: 0.3, bm25: undefined }])).toEqual([0.5]);
  expect(fuse([])).toEqual([]);
});
