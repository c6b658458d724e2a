import { expect, test } from "vitest";
import { createIdleCollector } from "./idle-collector.ts";

const MB = 1024 * 1024;

function setUp(held = 40) {
  const heap = { busy: 0, held, used: 30, collections: 0, afterCollection: 40 };
  const check = createIdleCollector({
    busyShare: () => heap.busy,
    heldBytes: () => heap.held * MB,
    usedBytes: () => heap.used * MB,
    collect() {
      heap.collections += 1;
      heap.held = heap.afterCollection;
    },
  });
  return { heap, check };
}

/** After the garbage of the start is collected. */
function setUpSettled() {
  const { heap, check } = setUp();
  check();
  check();
  heap.collections = 0;
  return { heap, check };
}

test("the garbage of the start is collected twice, then nothing more", () => {
  const { heap, check } = setUp();
  for (let checks = 0; checks < 5; checks++) check();
  expect(heap.collections).toBe(2);
});

test("a heap that has grown is collected once the process is idle", () => {
  const { heap, check } = setUpSettled();
  heap.held = 150;
  heap.busy = 0.5;
  check();
  expect(heap.collections).toBe(0);
  heap.busy = 0.01;
  check();
  check();
  check();
  expect(heap.collections).toBe(2);
});

test("load between the two collections delays the second one", () => {
  const { heap, check } = setUpSettled();
  heap.held = 150;
  check();
  heap.busy = 0.5;
  check();
  expect(heap.collections).toBe(1);
  heap.busy = 0;
  check();
  expect(heap.collections).toBe(2);
});

test("small growth is kept, and memory in use is not collected again and again", () => {
  const { heap, check } = setUpSettled();
  heap.held = 50;
  check();
  expect(heap.collections).toBe(0);
  heap.held = 120;
  heap.afterCollection = 110;
  for (let checks = 0; checks < 5; checks++) check();
  expect(heap.collections).toBe(2);
});

test("growth counts from the smallest heap since the last collection", () => {
  const { heap, check } = setUpSettled();
  heap.held = 120;
  heap.afterCollection = 110;
  check();
  check();
  heap.held = 60;
  check();
  heap.held = 100;
  check();
  expect(heap.collections).toBe(3);
});

test("a large heap is left to V8: a full collection would stop the process for long", () => {
  const { heap, check } = setUpSettled();
  heap.held = 600;
  heap.used = 500;
  check();
  expect(heap.collections).toBe(0);
});
