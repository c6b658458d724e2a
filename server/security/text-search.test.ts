import fc from "fast-check";
import { expect, test } from "vitest";
import { foldCase } from "./fold-case.ts";
import { createTextSearch, mergeRanges } from "./text-search.ts";

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "\u{1f600}"), minLength, maxLength });

test("finds what a search for one pattern after the other finds", () => {
  fc.assert(
    fc.property(
      fc.array(letters(4, 9), { minLength: 1, maxLength: 20 }),
      letters(0, 60),
      (patterns, text) => {
        const ranges = patterns.flatMap((pattern) =>
          Array.from({ length: text.length }, (_, start) => ({ start, end: start + pattern.length })).filter(
            ({ start }) => text.startsWith(pattern, start),
          ),
        );
        expect(createTextSearch(patterns).findRanges(text)).toEqual(mergeRanges(ranges));
      },
    ),
  );
});

test("thousands of patterns with a common beginning are found in a megabyte of it", () => {
  const patterns = Array.from({ length: 4_000 }, (_, i) => `aaaa${i.toString(36).padStart(4, "z")}`);
  // The shortest pattern decides how many characters select the candidates.
  patterns.push("bbbb");
  const text = `${"a".repeat(1_000_000)}${patterns[1_234]}`;
  expect(createTextSearch(patterns).findRanges(text)).toEqual([{ start: 1_000_000, end: text.length }]);
});

test("folding the case of a text keeps the position of every letter", () => {
  for (let first = 0; first <= 0x10_ffff; first += 0x1000) {
    const block = String.fromCodePoint(...Array.from({ length: 0x1000 }, (_, i) => first + i));
    expect(foldCase(block)).toHaveLength(block.length);
  }
  expect(foldCase("ΟΔΟΣ")).toBe(foldCase("οδος"));
});
