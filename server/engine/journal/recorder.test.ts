import { describe, expect, test } from "vitest";
import { pathOf, stepEntry } from "../testing/entry-samples.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { createRecorder, RunDropped, type RecorderDeps } from "./recorder.ts";
import { LazyAbortController } from "../../lib/abort-source.ts";

function open(write: RecorderDeps["write"] = () => Promise.resolve(true), isStored?: Promise<boolean>) {
  const writes: string[][] = [];
  const remembered: string[] = [];
  const abort = new LazyAbortController();
  const faults: Error[] = [];
  const recorder = createRecorder({
    lastSeq: 0,
    isStored,
    stop: abort,
    write(each) {
      writes.push(each.entries.map(text));
      return write(each);
    },
    remember: (entry) => void remembered.push(text(entry)),
    recorded: () => undefined,
    onFault: (error) => void faults.push(error),
  });
  return { recorder, writes, remembered, abort, faults };
}

const text = (entry: JournalEntry): string => `${entry.seq}${pathOf(entry)}`;
const step = (path: string): JournalEntry => stepEntry({ path });
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe("a buffered entry", () => {
  test("is remembered at once, and written with the next record, in order", async () => {
    const { recorder, writes, remembered } = open();
    await recorder.buffer([step("a"), step("b")]);
    expect(remembered).toEqual(["1a", "2b"]);
    await recorder.record([step("c")]);
    expect(writes).toEqual([["1a", "2b", "3c"]]);
    expect(remembered).toEqual(["1a", "2b", "3c"]);
    await endOfTurn();
    expect(writes).toHaveLength(1);
  });

  test("is written at the end of the turn when nothing else is", async () => {
    const { recorder, writes } = open();
    await recorder.buffer([step("a")]);
    await endOfTurn();
    expect(writes).toEqual([["1a"]]);
  });

  test("does not wait without bound: a long chain writes every 25 entries", async () => {
    const { recorder, writes } = open();
    for (let count = 0; count < 60; count++) await recorder.buffer([step("a")]);
    expect(writes.map(({ length }) => length)).toEqual([25, 25]);
  });

  test("is awaited by a flush, also when another write carries it", async () => {
    let store: (stored: boolean) => void = () => undefined;
    const { recorder } = open(() => new Promise((resolve) => (store = resolve)));
    await recorder.buffer([step("a")]);
    const recording = recorder.record([step("b")]);
    let flushed = false;
    const flushing = recorder.flush()!.then(() => (flushed = true));
    await endOfTurn();
    expect(flushed).toBe(false);
    store(true);
    await Promise.all([recording, flushing]);
  });

  test("is stored before later entries, also when several writes are in flight", async () => {
    const stores: ((stored: boolean) => void)[] = [];
    const { recorder, writes } = open(() => new Promise((resolve) => stores.push(resolve)));
    await recorder.buffer([step("a")]);
    const flushing = recorder.flush();
    const recording = recorder.record([step("b")]);
    await endOfTurn();
    expect(writes).toEqual([["1a"]]);
    stores[0]!(true);
    await flushing;
    await endOfTurn();
    expect(writes).toEqual([["1a"], ["2b"]]);
    stores[1]!(true);
    await recording;
  });
});

test("entries are stored in order; records that arrive while a write is in flight are sent with the next one", async () => {
  const stores: ((stored: boolean) => void)[] = [];
  const { recorder, writes, remembered } = open(() => new Promise((resolve) => stores.push(resolve)));
  const recordings = ["a", "b", "c"].map((path) => recorder.record([step(path)]));
  await endOfTurn();
  expect(writes).toEqual([["1a"]]);
  stores[0]!(true);
  await recordings[0];
  await endOfTurn();
  expect(writes).toEqual([["1a"], ["2b"], ["3c"]]);
  // The store commits the later write first.
  stores[2]!(true);
  await endOfTurn();
  expect(remembered).toEqual(["1a"]);
  stores[1]!(true);
  await Promise.all(recordings);
  expect(remembered).toEqual(["1a", "2b", "3c"]);
});

test("the numbers of entries continue, buffered or recorded", async () => {
  const { recorder } = open();
  expect(recorder.lastSeq()).toBe(0);
  await recorder.buffer([step("a")]);
  await recorder.record([step("b"), step("c")]);
  expect(recorder.lastSeq()).toBe(3);
});

test("a stopped run writes nothing", async () => {
  const { recorder, writes, abort } = open();
  abort.abort();
  await expect(recorder.record([step("a")])).rejects.toThrow(RunDropped);
  expect(writes).toEqual([]);
});

test("before an effect, a task that started before it was stored must be stored; then nothing is waited for", async () => {
  const { recorder } = open(undefined, Promise.resolve(true));
  await expect(recorder.flush()).resolves.toBeUndefined();
  expect(recorder.flush()).toBeUndefined();
  await expect(open(undefined, Promise.resolve(false)).recorder.flush()).rejects.toThrow(RunDropped);
});

describe("after a write that failed", () => {
  test("nothing more is recorded, because the journal would have a gap; the caller gets the error", async () => {
    const { recorder, writes, faults } = open(() => Promise.reject(new Error("no answer")));
    await recorder.buffer([step("a")]);
    await endOfTurn();
    await expect(recorder.record([step("b")])).rejects.toThrow("no answer");
    expect(writes).toHaveLength(1);
    expect(faults).toEqual([new Error("no answer")]);
  });

  test("because another process owns the task, the run is dropped", async () => {
    const { recorder } = open(() => Promise.resolve(false));
    await expect(recorder.record([step("a")])).rejects.toThrow(RunDropped);
    await expect(recorder.record([step("b")])).rejects.toThrow(RunDropped);
  });

  test("because the run was aborted, the run is dropped as well", async () => {
    const { recorder, abort } = open(() => {
      abort.abort();
      return Promise.reject(new Error("no answer"));
    });
    await expect(recorder.record([step("a")])).rejects.toThrow(RunDropped);
    await expect(recorder.idle()).resolves.toBeUndefined();
  });
});
