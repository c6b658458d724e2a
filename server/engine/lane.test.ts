import { expect, test } from "vitest";
import { createLane } from "./lane.ts";
import type { EngineTask } from "./store.ts";

interface Surroundings {
  dueAt: number | null;
  limit?: number;
  holdsLease?: boolean;
  /** How many begin here by themselves while the lane looks for what is due. */
  beginMeanwhile?: number;
}

function open({ dueAt, limit = 5, holdsLease = true, beginMeanwhile = 0 }: Surroundings) {
  const claims: number[] = [];
  const worked: string[] = [];
  let running = 0;
  const lane = createLane({
    name: "task",
    limit,
    running: () => running,
    holdsLease: () => holdsLease,
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    store: {
      nextDue() {
        running = Math.max(running, beginMeanwhile);
        return Promise.resolve(claims.length === 0 ? dueAt : null);
      },
      claimDue(_workerId, free) {
        claims.push(free);
        return Promise.resolve([{ id: "task_1" } as EngineTask]);
      },
    },
    work({ id }) {
      running++;
      worked.push(id);
    },
    onError: (error) => {
      throw error as Error;
    },
  });
  return { lane, claims, worked };
}

test.each([
  ["nothing is due", null, 5, []],
  ["the next is due later", 101, 5, []],
  ["something is due", 100, 5, [5]],
  ["something is due and there is no place for it", 100, 0, []],
] as const)("a look when %s claims accordingly", async (_when, dueAt, limit, expected) => {
  const { lane, claims, worked } = open({ dueAt, limit });
  lane.look();
  await lane.close();
  expect(claims).toEqual(expected);
  expect(worked).toHaveLength(expected.length);
  expect(lane.places.wanted).toBe(limit === 0);
});

test.each([
  ["some", 3, [2]],
  ["all", 5, []],
])(
  "no task is claimed for a place that others took during the look: %s",
  async (_how, beginMeanwhile, expected) => {
    const { lane, claims } = open({ dueAt: 100, beginMeanwhile });
    lane.look();
    await lane.close();
    expect(claims).toEqual(expected);
    expect(lane.places.wanted).toBe(expected.length === 0);
  },
);

test("a process whose lease has run out claims nothing, and knows that there may be something", async () => {
  const { lane, claims } = open({ dueAt: 100, holdsLease: false });
  lane.look();
  await lane.close();
  expect(claims).toEqual([]);
});
