import { expect, test } from "vitest";
import { createLane } from "./lane.ts";
import type { EngineTask } from "./store.ts";

function open(dueAt: number | null, limit = 5, holdsLease = true) {
  const claims: number[] = [];
  const worked: string[] = [];
  const lane = createLane({
    name: "task",
    limit,
    running: () => worked.length,
    holdsLease: () => holdsLease,
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    store: {
      nextDue: () => Promise.resolve(claims.length === 0 ? dueAt : null),
      claimDue(_workerId, free) {
        claims.push(free);
        return Promise.resolve([{ id: "task_1" } as EngineTask]);
      },
    },
    work: ({ id }) => void worked.push(id),
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
  const { lane, claims, worked } = open(dueAt, limit);
  lane.look();
  await lane.close();
  expect(claims).toEqual(expected);
  expect(worked).toHaveLength(expected.length);
  expect(lane.places.wanted).toBe(limit === 0);
});

test("a process whose lease has run out claims nothing, and knows that there may be something", async () => {
  const { lane, claims } = open(100, 5, false);
  lane.look();
  await lane.close();
  expect(claims).toEqual([]);
});
