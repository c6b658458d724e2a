import { expect, test } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { createMeasure, MIN_VALUE_SIZE } from "./json-size.ts";

const MAX = 1_000_000;

test.each<[JsonValue, number]>([
  [null, MIN_VALUE_SIZE],
  [true, MIN_VALUE_SIZE],
  [-1.5e300, MIN_VALUE_SIZE],
  ["short", MIN_VALUE_SIZE],
  ["x".repeat(100), 102],
  [[], MIN_VALUE_SIZE],
  [[1, 2], 3 * MIN_VALUE_SIZE],
  [{ name: "x".repeat(100) }, MIN_VALUE_SIZE + 4 + 102],
])("the size of %j is %i", (value, size) => {
  expect(createMeasure()(value, MAX)).toBe(size);
});

test("the size of a value is at least the length of its JSON text", () => {
  const value = { list: [1, "two", { three: [null, true, "x".repeat(2000)] }], "": {} };
  expect(createMeasure()(value, MAX)).toBeGreaterThanOrEqual(JSON.stringify(value).length);
});

test("a text counts as long as it is in JSON, with every escape", () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code) + ".").join("");
  for (const text of [
    all,
    "\u0001".repeat(100),
    "😀 \ud83d \ude00 \ud83d\ud83d\ude00",
    '"\\\n\t'.repeat(9),
  ]) {
    const { length } = JSON.stringify(text);
    expect(createMeasure()(text, MAX)).toBe(length);
    expect(createMeasure()({ [text]: 1 }, MAX)).toBe(2 * MIN_VALUE_SIZE + length - 2);
  }
});

test("a value that repeats another one a billion times is counted without a walk of a billion values", () => {
  const measure = createMeasure();
  let value: JsonValue = "x".repeat(1000);
  for (let level = 0; level < 9; level++) value = Array.from<JsonValue>({ length: 10 }).fill(value);
  expect(measure(value, Number.MAX_SAFE_INTEGER)).toBeGreaterThan(1e12);
});

test("the count ends as soon as the size is over the maximum", () => {
  let reads = 0;
  const watched = new Proxy(
    Array.from({ length: 1000 }, () => 1),
    {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  expect(createMeasure()(watched, 10 * MIN_VALUE_SIZE)).toBeGreaterThan(10 * MIN_VALUE_SIZE);
  expect(reads).toBe(10);
});

test("a value that was over the maximum is counted anew with a larger one", () => {
  const measure = createMeasure();
  const value = Array.from({ length: 1000 }, () => 1);
  expect(measure(value, 100)).toBeLessThan(1000);
  expect(measure(value, MAX)).toBe(1001 * MIN_VALUE_SIZE);
  expect(measure(value, MAX)).toBe(1001 * MIN_VALUE_SIZE);
});

test("a value that is nested too deeply is infinite, also when its inner part is remembered", () => {
  const nest = (inner: JsonValue, levels: number): JsonValue => {
    let value = inner;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const measure = createMeasure();
  const inner = nest("x".repeat(2000), 600);
  expect(measure(inner, MAX)).toBeLessThan(MAX);
  expect(measure(nest(inner, 300), MAX)).toBeLessThan(MAX);
  expect(measure(nest(inner, 500), MAX)).toBe(Number.POSITIVE_INFINITY);
  expect(measure(nest(1, 5000), MAX)).toBe(Number.POSITIVE_INFINITY);
  // A wide sibling does not count as depth.
  expect(measure([nest(inner, 300), nest(inner, 300)], MAX)).toBeLessThan(MAX);
});

test("a key of an object with more than 1,000 of them counts 64 bytes more", () => {
  const size = (keys: number) =>
    createMeasure()(Object.fromEntries(Array.from({ length: keys }, (_, i) => [1e9 + i, 1])), MAX);
  expect(size(1000)).toBe(MIN_VALUE_SIZE + 1000 * (10 + MIN_VALUE_SIZE));
  expect(size(1001)).toBe(MIN_VALUE_SIZE + 1001 * (10 + MIN_VALUE_SIZE + 64));
  expect(size(50_000)).toBeGreaterThan(MAX);
});
