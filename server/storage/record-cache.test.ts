import { expect, test } from "vitest";
import { createRecordCache } from "./record-cache.ts";

test("a value is kept until a record changes", () => {
  let version = 1;
  const cache = createRecordCache<string>({ recordsVersion: () => version });
  cache.open("a").keep("first");
  expect(cache.open("a").value).toBe("first");
  expect(cache.open("b").value).toBeUndefined();
  version = 2;
  expect(cache.open("a").value).toBeUndefined();
});

test("a value is not kept when a record changed while it was read", () => {
  let version = 1;
  const cache = createRecordCache<string>({ recordsVersion: () => version });
  const { keep } = cache.open("a");
  version = 2;
  cache.open("b").keep("new");
  keep("old");
  expect(cache.open("a").value).toBeUndefined();
});

test("it holds a bounded number of values", () => {
  const cache = createRecordCache<number>({ recordsVersion: () => 1 });
  for (let key = 0; key <= 1000; key++) cache.open(String(key)).keep(key);
  expect(cache.open("0").value).toBeUndefined();
  expect(cache.open("1000").value).toBe(1000);
});

test("nothing is kept where other processes write", () => {
  const cache = createRecordCache<string>({});
  cache.open("a").keep("first");
  expect(cache.open("a").value).toBeUndefined();
});
