import { expect, test } from "vitest";
import { createHamming } from "./hamming.ts";

/** Words that look random and are the same in every run. */
function wordsFrom(seed: number, count: number): Uint32Array {
  let state = seed;
  return Uint32Array.from(
    { length: count },
    () => (state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 1),
  );
}

function bitsSet(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

function countBits(signs: Uint32Array, target: Uint32Array, row: number): number {
  return target.reduce((sum, word, i) => sum + bitsSet(signs[row * target.length + i]! ^ word), 0);
}

test.each([
  [3, 50],
  [12, 50],
  [33, 50],
  // More rows than one slice of the memory has room for.
  [96, 3000],
])("rows of %i words differ from the target in as many bits as counted one by one", (length, rows) => {
  const target = wordsFrom(7, length);
  const signs = wordsFrom(11, length * rows);
  const distances = new Uint16Array(rows);
  createHamming()(signs, target, distances);
  expect([...distances]).toEqual(Array.from({ length: rows }, (_, row) => countBits(signs, target, row)));
});

test("a second target replaces the first, and no rows are no work", () => {
  const measure = createHamming();
  const signs = Uint32Array.of(0, 0, 0, 0xffffffff, 0, 1);
  const distances = new Uint16Array(2);
  measure(signs, Uint32Array.of(0, 0, 0), distances);
  expect([...distances]).toEqual([0, 33]);
  measure(signs, Uint32Array.of(0xffffffff, 0, 0), distances);
  expect([...distances]).toEqual([32, 1]);
  measure(new Uint32Array(), Uint32Array.of(1, 0, 0), new Uint16Array());
});
