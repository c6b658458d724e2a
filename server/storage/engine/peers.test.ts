import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Peers } from "../../engine/cluster/peers.ts";
import type { FinishedRun } from "../../engine/worker/live-runs.ts";
import { createPeers } from "./peers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Listener = Parameters<Peers["listen"]>[0];
const onChange = () => vi.fn<Listener["tasksChanged"]>();

/** Processes on one database whose messages arrive at once. */
function processes() {
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
  return { one: createPeers(db), two: createPeers(db), three: createPeers(db), db, sent };
}

test("changes within five milliseconds share a message, which the sender ignores", async () => {
  const { one, two, sent } = processes();
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

test("the more processes there are, the longer changes are gathered", async () => {
  const { one, two, sent } = processes();
  const there = onChange();
  await one.listen({ workIsDue: () => undefined, processes: () => 50, tasksChanged: onChange() });
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["a"]]]);
  one.taskChanged("b");
  one.taskChanged("c");
  await vi.advanceTimersByTimeAsync(90);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(there.mock.lastCall).toEqual([["b", "c"]]);
});

const entries = { hasEnded: false, waiter: undefined };

test("what a run records is sent to no process that does not ask for it", async () => {
  const { one, two, sent } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskRecorded("a", entries);
  one.taskRecorded("a", { hasEnded: true, waiter: undefined });
  one.taskRecorded("a", { hasEnded: true, waiter: one.id! });
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual([]);
  expect(there).not.toHaveBeenCalled();
});

test("the end of a task is sent at once, and only to the process whose caller waits for it", async () => {
  const { one, two, three } = processes();
  const [second, third] = [onChange(), onChange()];
  await two.listen({ workIsDue: () => undefined, tasksChanged: second });
  await three.listen({ workIsDue: () => undefined, tasksChanged: third });
  one.taskRecorded("a", { hasEnded: true, waiter: two.id! });
  one.taskRecorded("b", { hasEnded: true, waiter: three.id! });
  await vi.advanceTimersByTimeAsync(1);
  expect(second.mock.calls.map(([ids]) => ids)).toEqual([["a"]]);
  expect(third.mock.calls.map(([ids]) => ids)).toEqual([["b"]]);
});

/** A run whose result has this many characters. */
function finishedRun(id: string, characters = 10): FinishedRun {
  const entry = { seq: 1, kind: "status", status: "completed", error: null, at: 1 } as const;
  return {
    task: { id } as FinishedRun["task"],
    resultJson: `"${"é\n".repeat(characters / 2)}"`,
    entries: [entry],
  };
}

test("the end of a task carries its run to the process that waits, unless it is too large", async () => {
  const { one, two, sent } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  const ids = Array.from({ length: 30 }, (_, index) => `task_${index}`);
  const runs = ids.map((id) => finishedRun(id, id === "task_3" ? 5000 : id === "task_4" ? 2500 : 600));
  for (const [index, id] of ids.entries())
    one.taskRecorded(id, { hasEnded: true, waiter: two.id!, finished: runs[index] });
  one.taskRecorded("unknown", { hasEnded: true, waiter: two.id! });
  await vi.advanceTimersByTimeAsync(1);
  expect(Math.max(...sent.map(([, payload]) => Buffer.byteLength(payload)))).toBeLessThan(8000);
  const received = there.mock.calls.flatMap(([changed, finished]) =>
    [...changed].map((id): [string, unknown] => [id, finished?.(id)]),
  );
  expect(Object.fromEntries(received)).toEqual({
    ...Object.fromEntries(ids.map((id, index) => [id, id === "task_3" ? undefined : runs[index]])),
    unknown: undefined,
  });
});

test("the channel that carries runs is named in no message", async () => {
  const { one, two, sent } = processes();
  await one.listen({ workIsDue: () => undefined, tasksChanged: onChange() });
  one.workIsDue("task");
  one.taskChanged("a");
  one.watch("b");
  one.taskRecorded("c", { hasEnded: true, waiter: two.id!, finished: finishedRun("c") });
  await vi.advanceTimersByTimeAsync(20);
  expect(new Set(sent.map(([channel]) => channel))).toEqual(
    new Set(["work", "task", "watch", `ended_${two.id}`]),
  );
  for (const [, payload] of sent) expect(payload).not.toContain(one.id);
});

test("a run in the format of another version is read from the rows", async () => {
  const { one, two, db, sent } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskRecorded("a", { hasEnded: true, waiter: two.id!, finished: finishedRun("a") });
  await vi.advanceTimersByTimeAsync(1);
  const [[channel, payload]] = sent as [[string, string]];
  expect(payload).toContain(' \n1{"task"');
  for (const format of ["2", "11", ""])
    db.notify(channel, payload.replace(' \n1{"task"', ` \n${format}{"task"`));
  const received = there.mock.calls.map(([ids, finished]) => [ids, finished?.("a")]);
  expect(received).toEqual([
    [["a"], finishedRun("a")],
    [["a"], undefined],
    [["a"], undefined],
    [["a"], undefined],
  ]);
});

test("a run that is too large for a message is not serialised", async () => {
  const { one, two } = processes();
  const toJSON = vi.fn<() => string>(() => "");
  const output = "x".repeat(8000);
  const entry = { seq: 1, kind: "step", path: "a", output, toJSON } as never;
  const finished: FinishedRun = { ...finishedRun("a"), entries: [entry] };
  one.taskRecorded("a", { hasEnded: true, waiter: two.id!, finished });
  await vi.advanceTimersByTimeAsync(1);
  expect(toJSON).not.toHaveBeenCalled();
});

test("after a lost connection every waiter of ended tasks reads again", async () => {
  const { one, db } = processes();
  const here = onChange();
  await one.listen({ workIsDue: () => undefined, tasksChanged: here });
  db.notify(`ended_${one.id}`, "");
  expect(here.mock.calls.map(([ids]) => ids)).toEqual(["any"]);
});

test("entries are sent later, and the end at once, to the processes that watch the task", async () => {
  const { one, two, three } = processes();
  const [second, third] = [onChange(), onChange()];
  await one.listen({ workIsDue: () => undefined, tasksChanged: onChange() });
  await two.listen({ workIsDue: () => undefined, tasksChanged: second });
  await three.listen({ workIsDue: () => undefined, tasksChanged: third });
  two.watch("a");
  await vi.advanceTimersByTimeAsync(1);
  one.taskRecorded("a", entries);
  await vi.advanceTimersByTimeAsync(50);
  expect(second).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60);
  expect(second.mock.calls).toEqual([[["a"]]]);
  one.taskRecorded("a", entries);
  one.taskRecorded("a", { hasEnded: true, waiter: undefined });
  await vi.advanceTimersByTimeAsync(1);
  expect(second.mock.calls).toEqual([[["a"]], [["a"]]]);
  await vi.advanceTimersByTimeAsync(110);
  expect(second).toHaveBeenCalledTimes(2);
  expect(third).not.toHaveBeenCalled();
});

test("a watched task is read again after the announcement, in case it changed before that arrived", async () => {
  const { two } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  two.watch("a");
  two.watch("a");
  await vi.advanceTimersByTimeAsync(600);
  expect(there.mock.calls).toEqual([[["a"]]]);
});

test("a process that joins later learns what is watched, and forgets what no longer is", async () => {
  const { one, two } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  const stop = two.watch("a");
  await vi.advanceTimersByTimeAsync(1000);
  await one.listen({ workIsDue: () => undefined, tasksChanged: onChange() });
  const recorded = async (): Promise<number> => {
    there.mockClear();
    one.taskRecorded("a", { hasEnded: true, waiter: undefined });
    await vi.advanceTimersByTimeAsync(1);
    return there.mock.calls.length;
  };
  expect(await recorded()).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await recorded()).toBe(1);
  stop();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await recorded()).toBe(0);
});

test("two messages about one task differ, since the database delays repeats", async () => {
  const { one, two, sent } = processes();
  const there = onChange();
  await two.listen({ workIsDue: () => undefined, tasksChanged: there });
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(110);
  one.taskChanged("a");
  await vi.advanceTimersByTimeAsync(1);
  expect(there.mock.calls).toEqual([[["a"]], [["a"]]]);
  expect(new Set(sent.map(([, payload]) => payload)).size).toBe(2);
});

test("due work is sent each time, and an empty payload means any task may have changed", async () => {
  const { one, two, db, sent } = processes();
  const [due, changed] = [vi.fn<Listener["workIsDue"]>(), onChange()];
  await two.listen({ workIsDue: due, tasksChanged: changed });
  for (let count = 0; count < 3; count++) {
    one.workIsDue();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(due.mock.calls).toEqual([["any"], ["any"], ["any"]]);
  expect(new Set(sent.map(([, payload]) => payload)).size).toBe(3);
  db.notify("task", "");
  expect(changed).toHaveBeenCalledWith("any");
});

test("a message names the lanes with due work, unless any may have some", async () => {
  const { one, two, db } = processes();
  const [here, due] = [vi.fn<Listener["workIsDue"]>(), vi.fn<Listener["workIsDue"]>()];
  await one.listen({ workIsDue: here, tasksChanged: onChange() });
  await two.listen({ workIsDue: due, tasksChanged: onChange() });
  one.workIsDue("task");
  one.workIsDue("session");
  one.workIsDue("task");
  await vi.advanceTimersByTimeAsync(20);
  expect(due.mock.calls).toEqual([[["task", "session"]]]);
  one.workIsDue("task");
  one.workIsDue();
  await vi.advanceTimersByTimeAsync(20);
  expect(due.mock.lastCall).toEqual(["any"]);
  // After a reconnect.
  db.notify("work", "");
  expect(due.mock.lastCall).toEqual(["any"]);
  expect(here).toHaveBeenCalledTimes(1);
});

test("many ids are split into payloads that a notification can carry", async () => {
  const { one, sent } = processes();
  for (let n = 0; n < 450; n++) one.taskChanged(`task_${String(n).padStart(30, "0")}`);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(3);
  for (const [, payload] of sent) expect(payload.length).toBeLessThan(8000);
});
