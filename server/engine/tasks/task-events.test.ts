import { expect, test, vi } from "vitest";
import type { EntryHead } from "../journal/journal-entry.ts";
import { stepEntry } from "../testing/entry-samples.ts";
import { createTaskEvents } from "./task-events.ts";

const entry = (seq: number): EntryHead => stepEntry({ seq });
const event = (seq: number) => ({ seq, entry: entry(seq) });
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A task with two entries, written to by peers, and a subscriber in this process. */
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
  const delivered: (number | null)[] = [];
  events.watch("task_1", ({ seq }) => delivered.push(seq));
  await settle();
  return { world, events, delivered, onError };
}

test("a listener that throws keeps no event from the others, and the publisher is not affected", async () => {
  const { events, delivered, onError } = await watching();
  const after: (number | null)[] = [];
  events.watch("task_1", () => {
    throw new Error("broken");
  });
  events.watch("task_1", ({ seq }) => after.push(seq));
  events.publish("task_1", { seq: null, path: "a", type: "http", at: 1 });
  events.publish("task_1", event(3));
  expect(delivered).toEqual([null, 3]);
  expect(after).toEqual([null, 3]);
  expect(onError.mock.calls).toEqual([[new Error("broken")], [new Error("broken")]]);
});

test("an entry of a peer is delivered before a later one of this process, even if its hint comes later", async () => {
  const { world, events, delivered } = await watching();
  world.lastSeq = 5;
  events.publish("task_1", event(5));
  await settle();
  events.readOn(["task_1"]);
  await settle();
  expect(delivered).toEqual([3, 4, 5]);
});

test("an entry is delivered once, although it is both published and read", async () => {
  const { world, events, delivered } = await watching();
  world.lastSeq = 3;
  events.readOn(["task_1"]);
  events.publish("task_1", event(3));
  await settle();
  events.publish("task_1", event(3));
  expect(delivered).toEqual([3]);
});

test("an entry published at the moment a read ends is delivered", async () => {
  for (let moment = 0; moment < 20; moment++) {
    const { world, events, delivered } = await watching();
    world.lastSeq = 4;
    events.publish("task_1", event(4));
    for (let turns = 0; turns < moment; turns++) await Promise.resolve();
    world.lastSeq = 6;
    events.publish("task_1", event(6));
    await settle();
    expect(delivered).toEqual([3, 4, 5, 6]);
  }
});

test("an entry of this process is delivered even if the journal cannot be read", async () => {
  const { world, events, delivered, onError } = await watching();
  Object.assign(world, { lastSeq: 5, isDown: true });
  events.publish("task_1", event(5));
  await settle();
  expect(delivered).toEqual([5]);
  expect(onError).toHaveBeenCalledTimes(1);
});
