import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLane, type Lane } from "./lane.ts";
import type { EngineTask } from "../tasks/engine-task.ts";

interface Situation {
  /** Number of tasks due at the first poll. */
  due: number;
  /** Number of tasks of another owner that are due later than these. */
  dueOfAnother?: number;
  limit?: number;
  ownerShare?: number;
  mayClaim?: boolean;
  hasPeers?: boolean;
  /** Number of runs that start here while the lane reads due tasks. */
  startMeanwhile?: number;
  /** Slots that are taken when the lane counts the free ones. */
  takenAtFirst?: () => number;
  whileClaiming?: (lane: Lane) => void;
}

function open(situation: Situation) {
  const {
    limit = 5,
    ownerShare = 1,
    mayClaim = true,
    startMeanwhile = 0,
    takenAtFirst = () => 0,
    hasPeers = false,
    whileClaiming,
  } = situation;
  const due: Record<string, number> = { ann: situation.due, bob: situation.dueOfAnother ?? 0 };
  const claims: Record<string, number>[] = [];
  const running: Record<string, number> = {};
  const total = () => Object.values(running).reduce((sum, count) => sum + count, 0);
  let polls = 0;
  const lane = createLane({
    name: "task",
    limit,
    ownerShare: () => ownerShare,
    running: () => total() + takenAtFirst(),
    runningOf: (ownerId) => running[ownerId] ?? 0,
    mayClaim: () => mayClaim,
    hasPeers: () => hasPeers,
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    store: {
      pollDue(most, now) {
        expect(now).toBe(100);
        polls += 1;
        running["ann"] = (running["ann"] ?? 0) + startMeanwhile;
        const ann = Math.min(most, due["ann"]!);
        const bob = Math.min(most - ann, due["bob"]!);
        const owners = [
          { ownerId: "ann", count: ann },
          { ownerId: "bob", count: bob },
        ];
        return Promise.resolve({ due: owners.filter(({ count }) => count > 0), next: null });
      },
      furtherDueOwners: () =>
        Promise.resolve({
          due: Object.entries(due)
            .filter(([, count]) => count > 0)
            .map(([ownerId, count]) => ({ ownerId, count })),
          lastOwner: "",
        }),
      claimDue(_workerId, shares) {
        claims.push(Object.fromEntries(shares.map(({ ownerId, count }) => [ownerId, count])));
        whileClaiming?.(lane);
        const tasks = shares.flatMap(({ ownerId, count }) =>
          Array.from({ length: count }, () => ({ ownerId }) as EngineTask),
        );
        for (const { ownerId } of tasks) due[ownerId]! -= 1;
        return Promise.resolve(tasks);
      },
    },
    run: ({ ownerId }) => void (running[ownerId] = (running[ownerId] ?? 0) + 1),
    onError: (error) => {
      throw error as Error;
    },
  });
  return { lane, claims, running: total, polls: () => polls };
}

test.each([
  ["nothing is due", { due: 0 }, []],
  ["something is due", { due: 3 }, [{ ann: 3 }]],
  ["more is due than slots are free", { due: 9 }, [{ ann: 5 }]],
  ["another owner's task is behind many", { due: 9, dueOfAnother: 1 }, [{ ann: 4, bob: 1 }]],
  ["one owner may use half of the slots", { due: 9, limit: 8, ownerShare: 0.5 }, [{ ann: 4 }]],
  ["no slot exists", { due: 9, limit: 0 }, []],
  ["runs start meanwhile and leave some slots", { due: 9, startMeanwhile: 3 }, [{ ann: 2 }]],
  ["runs start meanwhile and leave no slot", { due: 9, startMeanwhile: 5 }, []],
  ["the lease has expired", { due: 9, mayClaim: false }, []],
  ["a few are due and peers have slots", { due: 4, limit: 20, hasPeers: true }, [{ ann: 4 }]],
  ["many are due and peers have slots", { due: 9, limit: 20, hasPeers: true }, [{ ann: 5 }]],
])("a poll when %s claims accordingly", async (_when, situation, expected) => {
  const { lane, claims } = open(situation);
  lane.poll();
  await lane.close();
  expect(claims).toEqual(expected);
});

test("slots are reserved for tasks being claimed, and for no more", async () => {
  const free: number[] = [];
  const { lane, running } = open({ due: 3, whileClaiming: ({ slots }) => free.push(slots.free()) });
  lane.poll();
  await lane.close();
  expect(free).toEqual([2]);
  expect(lane.slots.free()).toBe(2);
  expect(running()).toBe(3);
});

test("with all slots taken the next poll comes when one is free, else when the next task is due", async () => {
  const [full, free] = [open({ due: 9 }), open({ due: 3 })];
  for (const { lane } of [full, free]) lane.poll();
  await sleep(20);
  expect([full.lane.slots.markedFull, full.polls()]).toEqual([true, 1]);
  expect([free.lane.slots.markedFull, free.polls()]).toEqual([false, 1]);
  await Promise.all([full.lane.close(), free.lane.close()]);
});

test("while an owner's tasks wait for a slot, the next poll is when another task becomes due", async () => {
  const { lane, claims, polls } = open({ due: 9, limit: 4, ownerShare: 0.5 });
  lane.poll();
  // The first poll claimed tasks, so that more may be due; the second found none that may start.
  await expect.poll(polls).toBe(2);
  await sleep(20);
  expect(polls()).toBe(2);
  await lane.close();
  expect(claims).toEqual([{ ann: 2 }]);
  expect(lane.slots.markedFull).toBe(true);
});

test("when a slot is released after a poll found none free, the lane polls again at once", async () => {
  const taken = [5];
  const { lane, claims } = open({ due: 3, takenAtFirst: () => taken.pop() ?? 0 });
  lane.poll();
  await expect.poll(() => claims).toEqual([{ ann: 3 }]);
  await lane.close();
});

test("what a poll leaves to peers is polled for again at once", async () => {
  const { lane, claims, polls } = open({ due: 9, limit: 20, hasPeers: true });
  lane.poll();
  await expect.poll(() => claims).toEqual([{ ann: 5 }, { ann: 4 }]);
  await sleep(20);
  expect(polls()).toBe(2);
  await lane.close();
});
