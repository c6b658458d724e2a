import { expect, test } from "vitest";
import { shareSlots } from "./share-slots.ts";

const due = (ownerId: string, dueAt = 0) => ({ ownerId, dueAt });
const idle = new Map<string, number>();

test("free slots go to all owners in turn, the longest waiting first", () => {
  const owners = [due("late", 3), due("first", 1), due("second", 2)];
  expect(shareSlots(owners, { inFlight: idle, free: 4, perOwner: 4 })).toEqual([
    { ownerId: "first", count: 2 },
    { ownerId: "second", count: 1 },
    { ownerId: "late", count: 1 },
  ]);
});

test("an owner with deliveries in flight gets its next slot after the others", () => {
  const inFlight = new Map([["busy", 1]]);
  expect(shareSlots([due("busy", 1), due("idle", 2)], { inFlight, free: 1, perOwner: 4 })).toEqual([
    { ownerId: "idle", count: 1 },
  ]);
});

test("one owner never holds more than its slots", () => {
  expect(shareSlots([due("a")], { inFlight: new Map([["a", 3]]), free: 30, perOwner: 4 })).toEqual([
    { ownerId: "a", count: 1 },
  ]);
  expect(shareSlots([due("a")], { inFlight: new Map([["a", 4]]), free: 30, perOwner: 4 })).toEqual([]);
});
