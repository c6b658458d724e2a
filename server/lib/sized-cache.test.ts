import { expect, test } from "vitest";
import { createSizedCache } from "./sized-cache.ts";

test("the least recently used entries are evicted when the sizes exceed the limit", () => {
  const cache = createSizedCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual(["A", undefined, "C"]);
});

test("an entry that is set again counts once", () => {
  const cache = createSizedCache<number>(10);
  for (let round = 0; round < 5; round += 1) cache.set("a", round, 5);
  cache.set("b", 9, 5);
  expect([cache.get("a"), cache.get("b")]).toEqual([4, 9]);
});

test("an entry larger than the limit is kept alone until the next one", () => {
  const cache = createSizedCache<string>(10);
  cache.set("small", "S", 1);
  cache.set("large", "L", 99);
  expect([cache.get("small"), cache.get("large")]).toEqual([undefined, "L"]);
  cache.set("next", "N", 1);
  expect([cache.get("large"), cache.get("next")]).toEqual([undefined, "N"]);
});
