import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Peers } from "../../engine/cluster/peers.ts";
import { createPeers } from "./peers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Listener = Parameters<Peers["listen"]>[0];
const onChange = () => vi.fn<Listener["tasksChanged"]>();

/** Two processes on one database whose messages arrive at once. */
function twoProcesses() {
  const handlers: [string, (payload: string) => void][] = [];
  const sent: [string, string][] = [];
  const db = {
    notify(channel: string, payload: string) {
      sent.push([channel, payload]);
      for (const [subscribed, handler] of handlers) if (subscribed === channel) handler(payload);
    },
    listen(channel: string, handler: (payload: string) => void) {
      handlers.push([channel, handler]);
      return Promise.resolve(() => Promise.resolve());
    },
  };
  return { one: createPeers(db), two: createPeers(db), db, sent };
}

test("changes within five milliseconds share a message, which the sender ignores", async () => {
  const { one, two, sent } = twoProcesses();
  const [here, there] = [onChange(), onChange()];
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
  expect(sent).toHaveLength(2);
});

test("lazy changes are sent later", async () => {
  const { one, two } = twoProcesses();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  await vi.advanceTimersByTimeAsync(50);
  expect(there).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60);
  expect(there).toHaveBeenCalledWith(["a"]);
});

test("a lazy change is not sent with urgent ones, and not again after an urgent one", async () => {
  const { one, two } = twoProcesses();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  one.taskChanged("b", true);
  one.taskChanged("b");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["b"]]]);
  await vi.advanceTimersByTimeAsync(110);
  expect(there.mock.calls).toEqual([[["b"]], [["a"]]]);
});

test("two messages about one task differ, since the database delays repeats", async () => {
  const { one, two, sent } = twoProcesses();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a", true);
  await vi.advanceTimersByTimeAsync(110);
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["a"]], [["a"]]]);
  expect(new Set(sent.map(([, payload]) => payload)).size).toBe(2);
});

test("due work is sent each time, and an empty payload means any task may have changed", async () => {
  const { one, two, db, sent } = twoProcesses();
  const [due, changed] = [vi.fn<Listener["workIsDue"]>(), onChange()];
  await two.listen({ workIsDue: due, tasksChanged: changed });
  for (let count = 0; count < 3; count++) {
    one.workIsDue();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(due).toHaveBeenCalledTimes(3);
  expect(new Set(sent.map(([, payload]) => payload)).size).toBe(3);
  db.notify("task", "");
  expect(changed).toHaveBeenCalledWith("any");
});

test("many ids are split into payloads that a notification can carry", async () => {
  const { one, sent } = twoProcesses();
  for (let n = 0; n < 450; n++) one.taskChanged(`task_${String(n).padStart(30, "0")}`);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(3);
  for (const [, payload] of sent) expect(payload.length).toBeLessThan(8000);
});
