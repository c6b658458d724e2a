import { expect, test, vi } from "vitest";
import type { EntryHead } from "../journal/journal-entry.ts";
import { stepEntry } from "../testing/entry-samples.ts";
import { createTaskEvents } from "./task-events.ts";

const entry = (seq: number): EntryHead => stepEntry({ seq });
const event = (seq: number) => ({ seq, entry: entry(seq) });
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A task whose journal other processes write to, and somebody here who watches it from its third entry on. */
async function watching() {
  const world = { lastSeq: 2, isDown: false };
  const onError = vi.fn<(error: unknown) => void>();
  const events = createTaskEvents(
    {
      lastSeq: () => Promise.resolve(world.lastSeq),
      heads: (_taskId, afterSeq = 0) =>
        world.isDown
          ? Promise.reject(new Error("down"))
          : Promise.resolve(
              Array.from({ length: world.lastSeq - afterSeq }, (_, index) => entry(afterSeq + 1 + index)),
            ),
    },
    onError,
  );
  const told: (number | null)[] = [];
  events.watch("task_1", ({ seq }) => told.push(seq));
  await settle();
  return { world, events, told, onError };
}

test("what another process wrote is told before what this one wrote after it, also when its hint comes later", async () => {
  const { world, events, told } = await watching();
  world.lastSeq = 5;
  events.publish("task_1", event(5));
  await settle();
  events.readOn(["task_1"]);
  await settle();
  expect(told).toEqual([3, 4, 5]);
});

test("an entry is told once, by whoever wrote it and by the journal", async () => {
  const { world, events, told } = await watching();
  world.lastSeq = 3;
  events.readOn(["task_1"]);
  events.publish("task_1", event(3));
  await settle();
  events.publish("task_1", event(3));
  expect(told).toEqual([3]);
});

test("what happens in the very moment in which a reading ends is read, too", async () => {
  for (let moment = 0; moment < 20; moment++) {
    const { world, events, told } = await watching();
    world.lastSeq = 4;
    events.publish("task_1", event(4));
    for (let turns = 0; turns < moment; turns++) await Promise.resolve();
    world.lastSeq = 6;
    events.publish("task_1", event(6));
    await settle();
    expect(told).toEqual([3, 4, 5, 6]);
  }
});

test("where the journal cannot be read, what happened here is told all the same", async () => {
  const { world, events, told, onError } = await watching();
  Object.assign(world, { lastSeq: 5, isDown: true });
  events.publish("task_1", event(5));
  await settle();
  expect(told).toEqual([5]);
  expect(onError).toHaveBeenCalledTimes(1);
});
