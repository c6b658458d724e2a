import { expect, test } from "vitest";
import { createLane, type Lane } from "./lane.ts";
import type { EngineTask } from "../store.ts";

interface Situation {
  /** Number of tasks due at the first poll. */
  due: number;
  limit?: number;
  holdsLease?: boolean;
  /** Number of runs that start here while the lane counts due tasks. */
  startMeanwhile?: number;
  whileClaiming?: (lane: Lane) => void;
}

function open({ due, limit = 5, holdsLease = true, startMeanwhile = 0, whileClaiming }: Situation) {
  const claims: number[] = [];
  let running = 0;
  let nextDueCalled = false;
  const lane = createLane({
    name: "task",
    limit,
    running: () => running,
    holdsLease: () => holdsLease,
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    store: {
      countDue(most) {
        running += startMeanwhile;
        return Promise.resolve(Math.min(most, due));
      },
      claimDue(_workerId, count) {
        claims.push(count);
        whileClaiming?.(lane);
        return Promise.resolve(Array.from({ length: count }, () => ({}) as EngineTask));
      },
      nextDue() {
        nextDueCalled = true;
        return Promise.resolve(null);
      },
    },
    run: () => void (running += 1),
    onError: (error) => {
      throw error as Error;
    },
  });
  return { lane, claims, running: () => running, nextDueCalled: () => nextDueCalled };
}

test.each([
  ["nothing is due", { due: 0 }, []],
  ["something is due", { due: 3 }, [3]],
  ["more is due than slots are free", { due: 9 }, [5]],
  ["no slot exists", { due: 9, limit: 0 }, []],
  ["runs start meanwhile and leave some slots", { due: 9, startMeanwhile: 3 }, [2]],
  ["runs start meanwhile and leave no slot", { due: 9, startMeanwhile: 5 }, []],
  ["the lease has expired", { due: 9, holdsLease: false }, []],
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
  await Promise.all([full.lane.close(), free.lane.close()]);
  expect([full.lane.slots.markedFull, full.nextDueCalled()]).toEqual([true, false]);
  expect([free.lane.slots.markedFull, free.nextDueCalled()]).toEqual([false, true]);
});
