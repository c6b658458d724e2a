import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFairQueue } from "../../lib/fair-queue.ts";
import { createLargeValues } from "./large-values.ts";

function setUp(slots: number, slotsPerKey = slots) {
  const queue = createFairQueue({ slots, slotsPerKey, refuse: () => new Error("full") });
  return { queue, values: createLargeValues(queue) };
}

test("a slot is held until it is released, and taking it twice takes one", async () => {
  const { queue, values } = setUp(1);
  const first = values.hold("ada");
  await first.take();
  await first.take();
  const second = values.hold("ben");
  const taken = second.take();
  expect([queue.running(), queue.waiting()]).toEqual([1, 1]);
  first.release();
  await taken;
  second.release();
  await turn();
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test("a step that ends while it waits gives its slot back", async () => {
  const { queue, values } = setUp(1);
  const first = values.hold("ada");
  const second = values.hold("ada");
  await first.take();
  const abort = new AbortController();
  const aborted = second.take(abort.signal);
  const third = values.hold("ada");
  void third.take();
  third.release();
  abort.abort(new Error("cancelled"));
  await expect(aborted).rejects.toThrow("cancelled");
  first.release();
  await turn();
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test("every turn is one of the event loop, in the order of the calls", async () => {
  const { values } = setUp(1);
  const events: string[] = [];
  const turns = ["a", "b", "c"].map((name) => values.turn().then(() => events.push(name)));
  for (let tick = 1; tick <= 3; tick++) {
    await turn();
    events.push(`tick ${tick}`);
  }
  await Promise.all(turns);
  // Other work of the event loop comes between any two of them.
  expect(events.filter((event) => event.length === 1)).toEqual(["a", "b", "c"]);
  for (const [one, other] of [
    ["a", "b"],
    ["b", "c"],
  ] as const)
    expect(events.slice(events.indexOf(one) + 1, events.indexOf(other))).toEqual([
      expect.stringContaining("tick"),
    ]);
});
