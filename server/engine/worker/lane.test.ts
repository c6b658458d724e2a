import { expect, test } from "vitest";
import { createLane, type Lane } from "./lane.ts";
import type { EngineTask } from "../store.ts";

interface Surroundings {
  /** How many are due at the first look. */
  due: number;
  limit?: number;
  holdsLease?: boolean;
  /** How many begin here by themselves while the lane looks for what is due. */
  beginMeanwhile?: number;
  whileClaiming?: (lane: Lane) => void;
}

function open({ due, limit = 5, holdsLease = true, beginMeanwhile = 0, whileClaiming }: Surroundings) {
  const claims: number[] = [];
  let running = 0;
  let isAskedAgain = false;
  const lane = createLane({
    name: "task",
    limit,
    running: () => running,
    holdsLease: () => holdsLease,
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    store: {
      countDue(most) {
        running += beginMeanwhile;
        return Promise.resolve(Math.min(most, due));
      },
      claimDue(_workerId, count) {
        claims.push(count);
        whileClaiming?.(lane);
        return Promise.resolve(Array.from({ length: count }, () => ({}) as EngineTask));
      },
      nextDue() {
        isAskedAgain = true;
        return Promise.resolve(null);
      },
    },
    work: () => void (running += 1),
    onError: (error) => {
      throw error as Error;
    },
  });
  return { lane, claims, running: () => running, isAskedAgain: () => isAskedAgain };
}

test.each([
  ["nothing is due", { due: 0 }, []],
  ["something is due", { due: 3 }, [3]],
  ["more is due than there are slots", { due: 9 }, [5]],
  ["there is no place", { due: 9, limit: 0 }, []],
  ["others begin meanwhile and leave some slots", { due: 9, beginMeanwhile: 3 }, [2]],
  ["others begin meanwhile and leave no place", { due: 9, beginMeanwhile: 5 }, []],
  ["the lease has run out", { due: 9, holdsLease: false }, []],
])("a look when %s claims accordingly", async (_when, surroundings, expected) => {
  const { lane, claims } = open(surroundings);
  lane.poll();
  await lane.close();
  expect(claims).toEqual(expected);
});

test("slots are kept for what is being claimed, and for no more than that", async () => {
  const left: number[] = [];
  const { lane, running } = open({ due: 3, whileClaiming: ({ slots }) => left.push(slots.free()) });
  lane.poll();
  await lane.close();
  expect(left).toEqual([2]);
  expect(lane.slots.free()).toBe(2);
  expect(running()).toBe(3);
});

test("with all slots taken the next look comes when one is free, else when the next is due", async () => {
  const [full, free] = [open({ due: 9 }), open({ due: 3 })];
  for (const { lane } of [full, free]) lane.poll();
  await Promise.all([full.lane.close(), free.lane.close()]);
  expect([full.lane.slots.markedFull, full.isAskedAgain()]).toEqual([true, false]);
  expect([free.lane.slots.markedFull, free.isAskedAgain()]).toEqual([false, true]);
});
