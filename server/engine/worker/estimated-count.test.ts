import { expect, test } from "vitest";
import { createEstimatedCount } from "./estimated-count.ts";

function open(stored: { count: number }) {
  let now = 0;
  let reads = 0;
  const clock = { now: () => now, monotonic: () => now };
  const add = createEstimatedCount(clock, () => {
    reads += 1;
    return Promise.resolve(stored.count);
  });
  return { add, reads: () => reads, pass: (ms: number) => void (now += ms) };
}

test("reads once for many additions and refuses at the limit", async () => {
  const { add, reads } = open({ count: 2 });
  expect(await add("ann", 5)).toBe(true);
  expect(await Promise.all([add("ann", 5), add("ann", 5), add("ann", 5)])).toEqual([true, true, false]);
  expect(reads()).toBe(1);
  expect(await add("bob", 5)).toBe(true);
  expect(reads()).toBe(2);
});

test("a refusal is counted again after a second", async () => {
  const stored = { count: 5 };
  const { add, pass } = open(stored);
  expect(await add("ann", 5)).toBe(false);
  stored.count = 0;
  expect(await add("ann", 5)).toBe(false);
  pass(1001);
  expect(await add("ann", 5)).toBe(true);
});

test("counts again after many additions, because other processes add too", async () => {
  const stored = { count: 0 };
  const { add } = open(stored);
  for (let i = 0; i < 500; i += 1) await add("ann", 10_000);
  stored.count = 10_000;
  expect(await add("ann", 10_000)).toBe(false);
});

test("a failed read is not remembered", async () => {
  let fails = true;
  const clock = { now: () => 0, monotonic: () => 0 };
  const add = createEstimatedCount(clock, () =>
    fails ? Promise.reject(new Error("down")) : Promise.resolve(0),
  );
  await expect(add("ann", 1)).rejects.toThrow("down");
  fails = false;
  expect(await add("ann", 1)).toBe(true);
});
