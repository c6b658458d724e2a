import { afterEach, expect, test, vi } from "vitest";
import { createBatcher, type BatcherOptions, type Pending } from "./batcher.ts";

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A batcher whose batches stay in flight until the test ends them. */
function open(options: Partial<BatcherOptions<string, string>> = {}) {
  const batches: { items: string[]; end(): void; fail(reason: Error): void }[] = [];
  const batcher = createBatcher<string, string>({
    collectTurn: false,
    send: (batch: readonly Pending<string, string>[]) =>
      new Promise((resolve, reject) => {
        batches.push({
          items: batch.map(({ item }) => item),
          end() {
            for (const each of batch) each.resolve(each.item.toUpperCase());
            resolve();
          },
          fail: reject,
        });
      }),
    ...options,
  });
  return { batcher, batches, sent: () => batches.map(({ items }) => items) };
}

test("items added while a batch is in flight are sent together as the next batch, in order", async () => {
  const { batcher, batches, sent } = open();
  const results = ["a", "b", "c"].map((item) => batcher.add(item));
  expect(sent()).toEqual([["a"]]);
  batches[0]!.end();
  await expect(results[0]).resolves.toBe("A");
  await endOfTurn();
  expect(sent()).toEqual([["a"], ["b", "c"]]);
  batches[1]!.end();
  expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
});

test("a batcher that collects a turn sends the items of that turn together", async () => {
  const { batcher, batches, sent } = open({ collectTurn: true });
  void batcher.add("a");
  await Promise.resolve();
  void batcher.add("b");
  expect(sent()).toEqual([]);
  await endOfTurn();
  expect(sent()).toEqual([["a", "b"]]);
  batches[0]!.end();
});

test("at most `concurrency` batches are in flight", async () => {
  const { batcher, batches, sent } = open({ concurrency: 2 });
  for (const item of ["a", "b", "c", "d"]) void batcher.add(item);
  expect(sent()).toEqual([["a"], ["b"]]);
  batches[1]!.end();
  await endOfTurn();
  expect(sent()).toEqual([["a"], ["b"], ["c", "d"]]);
  for (const batch of batches) batch.end();
});

const beside = { maxInFlight: 2, maxWaitMs: 20 };
afterEach(() => void vi.useRealTimers());

test("a batch starts beside others while they are small, and otherwise when one of them ends", async () => {
  const { batcher, batches, sent } = open({ concurrency: 3, collectTurn: true, beside });
  for (const item of ["a", "b"]) void batcher.add(item);
  await endOfTurn();
  void batcher.add("c");
  await endOfTurn();
  expect(sent()).toEqual([["a", "b"], ["c"]]);
  for (const item of ["d", "e"]) void batcher.add(item);
  await endOfTurn();
  expect(sent()).toEqual([["a", "b"], ["c"]]);
  batches[1]!.end();
  await endOfTurn();
  expect(sent()).toEqual([["a", "b"], ["c"], ["d", "e"]]);
  for (const batch of batches) batch.end();
});

test("a batch does not wait for others that are stuck", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { batcher, batches, sent } = open({ concurrency: 2, collectTurn: true, beside });
  for (const item of ["a", "b", "c"]) void batcher.add(item);
  await endOfTurn();
  for (const item of ["d", "e"]) void batcher.add(item);
  vi.advanceTimersByTime(beside.maxWaitMs - 1);
  await endOfTurn();
  expect(sent()).toEqual([["a", "b", "c"]]);
  vi.advanceTimersByTime(1);
  await endOfTurn();
  expect(sent()).toEqual([
    ["a", "b", "c"],
    ["d", "e"],
  ]);
  for (const batch of batches) batch.end();
  await batcher.idle();
  expect(vi.getTimerCount()).toBe(0);
});

test("a batch that fails rejects its items, and the next one is sent", async () => {
  const { batcher, batches, sent } = open();
  const first = batcher.add("a");
  const second = batcher.add("b");
  batches[0]!.fail(new Error("disk"));
  await expect(first).rejects.toThrow("disk");
  await endOfTurn();
  expect(sent()).toEqual([["a"], ["b"]]);
  batches[1]!.end();
  await expect(second).resolves.toBe("B");
});

test("a batch whose send throws rejects its items, and the next one is sent", async () => {
  let throws = true;
  const { batcher } = open({
    send(batch) {
      if (throws) throw new Error("at once");
      for (const { item, resolve } of batch) resolve(item);
      return Promise.resolve();
    },
  });
  await expect(batcher.add("a")).rejects.toThrow("at once");
  throws = false;
  await expect(batcher.add("b")).resolves.toBe("b");
  await batcher.idle();
});

test("an item added at the moment the last batch ends is sent", async () => {
  for (let moment = 0; moment < 10; moment += 1) {
    const { batcher, batches, sent } = open();
    void batcher.add("a");
    batches[0]!.end();
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    void batcher.add("b");
    await endOfTurn();
    expect(sent()).toEqual([["a"], ["b"]]);
  }
});

test("it is idle when nothing waits and nothing is in flight", async () => {
  const { batcher, batches } = open();
  await batcher.idle();
  void batcher.add("a");
  void batcher.add("b");
  let isIdle = false;
  const idle = batcher.idle().then(() => (isIdle = true));
  batches[0]!.end();
  await endOfTurn();
  expect(isIdle).toBe(false);
  batches[1]!.end();
  await idle;
});
