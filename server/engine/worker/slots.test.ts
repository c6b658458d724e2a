import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

function open(limit: number, running: Record<string, number> = {}, ownerShare = 1) {
  return createSlots({
    limit,
    ownerShare: () => ownerShare,
    running: () => Object.values(running).reduce((sum, count) => sum + count, 0),
    runningOf: (ownerId) => running[ownerId] ?? 0,
  });
}

test("a slot is free while fewer tasks run than the limit; some tasks always start", () => {
  const running = { ann: 1 };
  const slots = open(2, running);
  expect(slots.free()).toBe(1);
  expect(slots.canStart("ann", false)).toBe(true);
  running.ann = 2;
  expect(slots.canStart("ann", false)).toBe(false);
  expect(slots.canStart("ann", true)).toBe(true);
});

test("an owner uses at most its share of the slots that others leave", () => {
  const running = { ann: 0, bob: 0 };
  const slots = open(16, running, 0.5);
  expect(slots.freeFor("ann")).toBe(8);
  running.ann = 8;
  expect(slots.canStart("ann", false)).toBe(false);
  expect(slots.freeFor("bob")).toBe(4);
  running.bob = 4;
  expect(slots.canStart("bob", false)).toBe(false);
  expect(slots.freeFor("cid")).toBe(2);
});

test("the last slot is free for any owner", () => {
  const slots = open(2, { ann: 1 }, 0.5);
  expect(slots.freeFor("ann")).toBe(0);
  expect(slots.freeFor("bob")).toBe(1);
  expect(open(1, {}, 0.5).freeFor("ann")).toBe(1);
  expect(open(0, {}, 0.5).freeFor("ann")).toBe(0);
});

test("free slots go to the owner who holds the fewest", () => {
  const slots = open(8, { ann: 3 });
  const due = [
    { ownerId: "ann", count: 50 },
    { ownerId: "bob", count: 2 },
    { ownerId: "cid", count: 50 },
  ];
  expect(slots.reserve(due).shares.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1))).toEqual([
    { ownerId: "bob", count: 2 },
    { ownerId: "cid", count: 3 },
  ]);
});

test("a reservation keeps to the share of each owner", () => {
  const due = [{ ownerId: "ann", count: 50 }];
  expect(open(8, {}, 0.5).reserve(due).shares).toEqual([{ ownerId: "ann", count: 4 }]);
  expect(open(8, { ann: 4 }, 0.5).reserve(due).shares).toEqual([]);
});

test("reserved slots are not free until they are released", () => {
  const slots = open(3, { ann: 1 });
  const kept = slots.reserve([{ ownerId: "ann", count: 5 }]);
  expect(kept.shares).toEqual([{ ownerId: "ann", count: 2 }]);
  expect(slots.canStart("bob", false)).toBe(false);
  expect(slots.reserve([{ ownerId: "bob", count: 1 }]).shares).toEqual([]);
  kept.release();
  expect(slots.free()).toBe(2);
  expect(slots.freeFor("ann")).toBe(2);
});

test("with more runs than slots, none can be reserved", () => {
  const slots = open(1, { ann: 3 });
  expect(slots.reserve([{ ownerId: "bob", count: 1 }]).shares).toEqual([]);
  expect(slots.free()).toBe(-2);
});

test("the full mark stays until the next poll clears it", () => {
  const slots = open(1);
  expect(slots.markedFull).toBe(false);
  slots.markFull();
  expect(slots.markedFull).toBe(true);
  slots.clearFull();
  expect(slots.markedFull).toBe(false);
});

test("a stopping process starts nothing", () => {
  const slots = open(1);
  slots.close();
  expect(slots.closed).toBe(true);
  expect(() => slots.canStart("ann", true)).toThrow(
    expect.objectContaining({ code: "unavailable" }) as Error,
  );
});

test("waiters get released slots in turn by owner, within their share", async () => {
  const running = { ann: 4, bob: 0 };
  const slots = open(4, running);
  const granted: string[] = [];
  const wait = (ownerId: string, name: string) =>
    slots.waitFor(ownerId, 1, new AbortController().signal).then((release) => {
      granted.push(name);
      return release;
    });
  const waits = [wait("ann", "ann 1"), wait("ann", "ann 2"), wait("bob", "bob 1")];
  slots.serveWaiters();
  running.ann = 3;
  slots.serveWaiters();
  await waits[2];
  expect(granted).toEqual(["bob 1"]);
  expect(slots.free()).toBe(0);
  running.ann = 2;
  slots.serveWaiters();
  await waits[0];
  expect(granted).toEqual(["bob 1", "ann 1"]);
  (await waits[0]!)();
  slots.serveWaiters();
  await waits[1];
  expect(granted).toEqual(["bob 1", "ann 1", "ann 2"]);
});

test("a waiter leaves when its signal is aborted or the process stops", async () => {
  const slots = open(0);
  const gone = new AbortController();
  const aborted = slots.waitFor("ann", 1, gone.signal);
  const stopped = slots.waitFor("ann", 1, new AbortController().signal);
  gone.abort(new Error("too late"));
  await expect(aborted).rejects.toThrow("too late");
  await expect(slots.waitFor("ann", 1, gone.signal)).rejects.toThrow("too late");
  slots.close();
  await expect(stopped).rejects.toMatchObject({ code: "unavailable" });
});

test("the deepest task of an owner starts first", async () => {
  const running = { ann: 1 };
  const slots = open(1, running);
  const granted: number[] = [];
  for (const depth of [1, 3, 2, 3])
    void slots.waitFor("ann", depth, new AbortController().signal).then((release) => {
      granted.push(depth);
      release();
    });
  running.ann = 0;
  for (let i = 0; i < 4; i += 1) {
    slots.serveWaiters();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(granted).toEqual([3, 3, 2, 1]);
});

test("waiters get the slots that a claim reserved and did not use", async () => {
  const running = { ann: 1 };
  const slots = open(1, running);
  const waiting = slots.waitFor("ann", 1, new AbortController().signal);
  running.ann = 0;
  const claim = slots.reserve([{ ownerId: "bob", count: 1 }]);
  slots.serveWaiters();
  expect(slots.waiting("ann")).toBe(1);
  claim.release();
  await waiting;
  expect(slots.waiting("ann")).toBe(0);
});

test("nobody waits for a slot of a process that is stopping", async () => {
  const slots = open(0);
  slots.close();
  await expect(slots.waitFor("ann", 1, new AbortController().signal)).rejects.toMatchObject({
    code: "unavailable",
  });
});
