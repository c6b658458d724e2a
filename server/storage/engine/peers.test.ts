import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Peers } from "../../engine/cluster/peers.ts";
import { createPeers } from "./peers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ears = Parameters<Peers["listen"]>[0];
const hearing = () => vi.fn<Ears["tasksChanged"]>();

/** Two processes on one database, whose words arrive at once. */
function twoProcesses() {
  const handlers: [string, (word: string) => void][] = [];
  const words: [string, string][] = [];
  const db = {
    notify(channel: string, word: string) {
      words.push([channel, word]);
      for (const [heard, handler] of handlers) if (heard === channel) handler(word);
    },
    listen(channel: string, handler: (word: string) => void) {
      handlers.push([channel, handler]);
      return Promise.resolve(() => Promise.resolve());
    },
  };
  return { one: createPeers(db), two: createPeers(db), db, words };
}

test("what happens within a moment is told together, to the others and not to oneself", async () => {
  const { one, two, words } = twoProcesses();
  const [here, there] = [hearing(), hearing()];
  await one.listen({ workIsDue: () => undefined, tasksChanged: here });
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a");
  one.taskChanged("b");
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["a", "b"]]]);
  expect(here).not.toHaveBeenCalled();
  one.taskChanged("c");
  one.taskChanged("d");
  await vi.advanceTimersByTimeAsync(10);
  expect(there.mock.lastCall).toEqual([["c", "d"]]);
  expect(words).toHaveLength(2);
});

test("what nobody can be waiting for is told later", async () => {
  const { one, two } = twoProcesses();
  const there = hearing();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  await vi.advanceTimersByTimeAsync(50);
  expect(there).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60);
  expect(there).toHaveBeenCalledWith(["a"]);
});

test("what is told later is not told with what is told at once, nor once more after it", async () => {
  const { one, two } = twoProcesses();
  const there = hearing();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  one.taskChanged("b", true);
  one.taskChanged("b");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["b"]]]);
  await vi.advanceTimersByTimeAsync(110);
  expect(there.mock.calls).toEqual([[["b"]], [["a"]]]);
});

test("the end of a task is another word than its last step: the same one would be held back", async () => {
  const { one, two, words } = twoProcesses();
  const there = hearing();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  await vi.advanceTimersByTimeAsync(110);
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["a"]], [["a"]]]);
  expect(new Set(words.map(([, word]) => word)).size).toBe(2);
});

test("work that is due is told each time, and words that were lost concern everything", async () => {
  const { one, two, db, words } = twoProcesses();
  const [due, moved] = [vi.fn<Ears["workIsDue"]>(), hearing()];
  await two.listen({ workIsDue: due, tasksChanged: moved });
  for (let round = 0; round < 3; round++) {
    one.workIsDue();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(due).toHaveBeenCalledTimes(3);
  expect(new Set(words.map(([, word]) => word)).size).toBe(3);
  db.notify("task", "");
  expect(moved).toHaveBeenCalledWith("any");
});

test("many are told in words that a notification can carry", async () => {
  const { one, words } = twoProcesses();
  for (let n = 0; n < 450; n++) one.taskChanged(`task_${String(n).padStart(30, "0")}`);
  await vi.advanceTimersByTimeAsync(1);
  expect(words).toHaveLength(3);
  for (const [, word] of words) expect(word.length).toBeLessThan(8000);
});
