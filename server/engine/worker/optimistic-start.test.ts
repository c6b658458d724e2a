import { expect, test } from "vitest";
import { createOptimisticStart } from "./optimistic-start.ts";
import { checkRun } from "../cluster/cluster.ts";
import { createLiveRuns } from "./live-runs.ts";
import type { Accepted, NewTask, RunWrite } from "../store.ts";

const TASK = { id: "task_1", epoch: 1, lane: "task" } as NewTask;
const WRITE: Omit<RunWrite, "task"> = { entries: [] };

function open(accepting: () => Promise<Accepted>) {
  const calls: string[] = [];
  const optimisticStart = createOptimisticStart(
    {
      accept(_task, first) {
        calls.push(first === undefined ? "accept" : "accept with a write");
        return accepting();
      },
      record() {
        calls.push("record");
        return Promise.resolve(true);
      },
    },
    TASK,
  );
  return { optimisticStart, calls };
}
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("the first write of a turn carries the insert of the task, later ones do not", async () => {
  const { optimisticStart, calls } = open(() => Promise.resolve({ inserted: true }));
  expect(await optimisticStart.write(WRITE)).toBe(true);
  expect(await optimisticStart.write(WRITE)).toBe(true);
  await endOfTurn();
  expect(calls).toEqual(["accept with a write", "record"]);
  expect(await optimisticStart.accepted).toEqual({ inserted: true });
});

test("a write of a later turn waits until the task is stored", async () => {
  let store: (accepted: Accepted) => void = () => undefined;
  const { optimisticStart, calls } = open(() => new Promise((resolve) => (store = resolve)));
  await endOfTurn();
  const writing = optimisticStart.write(WRITE);
  await endOfTurn();
  expect(calls).toEqual(["accept"]);
  store({ inserted: true });
  expect(await writing).toBe(true);
  expect(calls).toEqual(["accept", "record"]);
});

test.each([
  ["refused", () => Promise.reject(new Error("full"))],
  ["a duplicate", () => Promise.resolve({ inserted: false, taskId: "task_0", bodyHash: null } as const)],
])("nothing is written when the insert was %s", async (_how, accepting) => {
  const { optimisticStart, calls } = open(accepting);
  expect(await optimisticStart.write(WRITE)).toBe(false);
  expect(await optimisticStart.write(WRITE)).toBe(false);
  expect(calls).toEqual(["accept with a write"]);
  expect(await optimisticStart.stored).toBe(false);
});

test("a run whose insert is in flight is not treated as lost", async () => {
  const live = createLiveRuns();
  let store: (stored: boolean) => void = () => undefined;
  const run = live.enter(TASK, new Promise((resolve) => (store = resolve)));
  let epoch: number | undefined;
  const check = () => checkRun(TASK.id, live, { epoch: () => Promise.resolve(epoch) });
  const checked = check();
  await endOfTurn();
  epoch = 1;
  store(true);
  await checked;
  expect(run.abort.signal.aborted).toBe(false);
  epoch = 2;
  await check();
  expect(run.abort.signal.aborted).toBe(true);
});
