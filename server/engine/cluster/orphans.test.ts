import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOrphans } from "./orphans.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CHECK_MS = 5000;
const oneCheck = () => vi.advanceTimersByTimeAsync(CHECK_MS);

function open(own: { id: string; epoch: number }[]) {
  const released: string[] = [];
  const errors: unknown[] = [];
  const world = { own, live: [] as string[], haveReturned: true, isDown: false };
  const onReleased = vi.fn<() => void>();
  const respond = <T>(value: () => T): Promise<T> =>
    world.isDown ? Promise.reject(new Error("down")) : Promise.resolve(value());
  const orphans = createOrphans({
    store: {
      ownTasks: () => respond(() => world.own),
      releaseTask: ({ id, epoch }) => respond(() => void released.push(`${id} ${epoch}`)),
    },
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    checkMs: CHECK_MS,
    onError: (error) => errors.push(error),
  });
  orphans.start({
    isLive: ({ id }) => world.live.includes(id),
    claims: { started: () => 0, haveReturned: () => world.haveReturned },
    onReleased,
  });
  return { orphans, world, released, errors, onReleased };
}

test("a task leased to this process but not running is released when seen twice", async () => {
  const { world, released, onReleased } = open([
    { id: "orphan", epoch: 3 },
    { id: "running", epoch: 1 },
  ]);
  world.live = ["running"];
  await oneCheck();
  expect(released).toEqual([]);
  await oneCheck();
  expect(released).toEqual(["orphan 3"]);
  expect(onReleased).toHaveBeenCalledTimes(1);
});

test("a task that ran in between, or was claimed again, counts as seen for the first time", async () => {
  const { world, released } = open([{ id: "a", epoch: 1 }]);
  await oneCheck();
  world.live = ["a"];
  await oneCheck();
  world.live = [];
  await oneCheck();
  world.own = [{ id: "a", epoch: 2 }];
  await oneCheck();
  expect(released).toEqual([]);
});

test("nothing is released while a claim in flight may own it", async () => {
  const { world, released } = open([{ id: "a", epoch: 1 }]);
  await oneCheck();
  world.haveReturned = false;
  await oneCheck();
  await oneCheck();
  expect(released).toEqual([]);
  world.haveReturned = true;
  await oneCheck();
  expect(released).toEqual(["a 1"]);
});

test("a reported orphan is released at the next check, which comes soon", async () => {
  const { orphans, released } = open([{ id: "a", epoch: 1 }]);
  orphans.report({ id: "a", epoch: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(released).toEqual(["a 1"]);
});

test("a database error is reported, and a reported orphan is not forgotten", async () => {
  const { orphans, world, released, errors } = open([{ id: "a", epoch: 1 }]);
  orphans.report({ id: "a", epoch: 1 });
  world.isDown = true;
  await oneCheck();
  expect(errors).not.toEqual([]);
  world.isDown = false;
  await oneCheck();
  expect(released).toEqual(["a 1"]);
});

test("a stopping process checks no more", async () => {
  const { orphans, released } = open([{ id: "a", epoch: 1 }]);
  orphans.close();
  orphans.report({ id: "a", epoch: 1 });
  await oneCheck();
  expect(released).toEqual([]);
});
