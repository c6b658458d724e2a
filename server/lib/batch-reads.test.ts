import { expect, test } from "vitest";
import { batchReads } from "./batch-reads.ts";

function countedReads() {
  const batches: string[][] = [];
  const read = batchReads((keys: readonly string[]) => {
    batches.push([...keys]);
    return keys.map((key) => Promise.resolve(key.toUpperCase()));
  });
  return { read, batches };
}

test("reads of one turn of the event loop are sent together, equal keys once", async () => {
  const { read, batches } = countedReads();
  expect(await Promise.all(["a", "b", "a"].map(read))).toEqual(["A", "B", "A"]);
  expect(batches).toEqual([["a", "b"]]);
});

test("keys are equal when their identities are", async () => {
  const batches: number[] = [];
  const read = batchReads(
    (keys: readonly { n: number }[]) => {
      batches.push(keys.length);
      return keys.map(({ n }) => Promise.resolve(n));
    },
    ({ n }) => n,
  );
  expect(await Promise.all([read({ n: 1 }), read({ n: 2 }), read({ n: 1 })])).toEqual([1, 2, 1]);
  expect(batches).toEqual([2]);
});

test("a key that is requested after its batch was sent is read again", async () => {
  const { read, batches } = countedReads();
  const first = read("a");
  await new Promise((resolve) => setImmediate(resolve));
  const second = read("a");
  expect(await Promise.all([first, second])).toEqual(["A", "A"]);
  expect(batches).toEqual([["a"], ["a"]]);
});

test("a batch holds at most a hundred keys", async () => {
  const { read, batches } = countedReads();
  await Promise.all(Array.from({ length: 250 }, (_, key) => read(`${key}`)));
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50]);
});

test("a failed read fails alone, and is read again the next time", async () => {
  let fails = true;
  const read = batchReads((keys: readonly string[]) =>
    keys.map((key) => (fails && key === "a" ? Promise.reject(new Error("failed")) : Promise.resolve(key))),
  );
  const results = await Promise.allSettled([read("a"), read("b")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  fails = false;
  expect(await read("a")).toBe("a");
});
