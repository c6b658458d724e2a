import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOrphans } from "./orphans.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const EVERY_MS = 5000;
const aLook = () => vi.advanceTimersByTimeAsync(EVERY_MS);

function open(own: { id: string; epoch: number }[]) {
  const givenBack: string[] = [];
  const errors: unknown[] = [];
  const world = { own, live: [] as string[], haveReturned: true, isDown: false };
  const onGivenBack = vi.fn<() => void>();
  const answer = <T>(value: () => T): Promise<T> =>
    world.isDown ? Promise.reject(new Error("down")) : Promise.resolve(value());
  const orphans = createOrphans({
    store: {
      ownTasks: () => answer(() => world.own),
      releaseTask: ({ id, epoch }) => answer(() => void givenBack.push(`${id} ${epoch}`)),
    },
    workerId: "worker_1",
    clock: { now: () => 100, monotonic: () => 0 },
    everyMs: EVERY_MS,
    isLive: ({ id }) => world.live.includes(id),
    claims: { begun: () => 0, haveReturned: () => world.haveReturned },
    onGivenBack,
    onError: (error) => errors.push(error),
  });
  return { orphans, world, givenBack, errors, onGivenBack };
}

test("what is ours and not worked on is given back when it is seen for the second time", async () => {
  const { world, givenBack, onGivenBack } = open([
    { id: "orphan", epoch: 3 },
    { id: "worked on", epoch: 1 },
  ]);
  world.live = ["worked on"];
  await aLook();
  expect(givenBack).toEqual([]);
  await aLook();
  expect(givenBack).toEqual(["orphan 3"]);
  expect(onGivenBack).toHaveBeenCalledTimes(1);
});

test("what has been taken up meanwhile, or claimed anew, is seen for the first time again", async () => {
  const { world, givenBack } = open([{ id: "a", epoch: 1 }]);
  await aLook();
  world.live = ["a"];
  await aLook();
  world.live = [];
  await aLook();
  world.own = [{ id: "a", epoch: 2 }];
  await aLook();
  expect(givenBack).toEqual([]);
});

test("nothing is said of what a claim may have taken whose answer is still to come", async () => {
  const { world, givenBack } = open([{ id: "a", epoch: 1 }]);
  await aLook();
  world.haveReturned = false;
  await aLook();
  await aLook();
  expect(givenBack).toEqual([]);
  world.haveReturned = true;
  await aLook();
  expect(givenBack).toEqual(["a 1"]);
});

test("one that is expected is given back at the next look, which comes soon", async () => {
  const { orphans, givenBack } = open([{ id: "a", epoch: 1 }]);
  orphans.expect({ id: "a", epoch: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(givenBack).toEqual(["a 1"]);
});

test("a database that is down is told of, and what was expected is not forgotten", async () => {
  const { orphans, world, givenBack, errors } = open([{ id: "a", epoch: 1 }]);
  orphans.expect({ id: "a", epoch: 1 });
  world.isDown = true;
  await aLook();
  expect(errors).not.toEqual([]);
  world.isDown = false;
  await aLook();
  expect(givenBack).toEqual(["a 1"]);
});

test("a process that is stopping looks no more", async () => {
  const { orphans, givenBack } = open([{ id: "a", epoch: 1 }]);
  orphans.close();
  orphans.expect({ id: "a", epoch: 1 });
  await aLook();
  expect(givenBack).toEqual([]);
});
