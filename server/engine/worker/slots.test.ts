import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

test("there is a place as long as fewer run than may; what a step starts always has one", () => {
  let running = 1;
  const slots = createSlots(2, () => running);
  expect(slots.free()).toBe(1);
  expect(slots.canStart(false)).toBe(true);
  running = 2;
  expect(slots.canStart(false)).toBe(false);
  expect(slots.canStart(true)).toBe(true);
});

test("slots that are kept are nobody else's until they are released", () => {
  const slots = createSlots(3, () => 1);
  const kept = slots.reserve(5);
  expect(kept.count).toBe(2);
  expect(slots.canStart(false)).toBe(false);
  expect(slots.reserve(1).count).toBe(0);
  kept.release();
  expect(slots.free()).toBe(2);
});

test("with more under way than there are slots, none can be kept", () => {
  const slots = createSlots(1, () => 3);
  expect(slots.reserve(1).count).toBe(0);
  expect(slots.free()).toBe(-2);
});

test("what waits for a place is remembered until somebody looks", () => {
  const slots = createSlots(1, () => 0);
  expect(slots.markedFull).toBe(false);
  slots.markFull();
  expect(slots.markedFull).toBe(true);
  slots.clearFull();
  expect(slots.markedFull).toBe(false);
});

test("a process that is stopping has none", () => {
  const slots = createSlots(1, () => 0);
  slots.close();
  expect(slots.closed).toBe(true);
  expect(() => slots.canStart(true)).toThrow(expect.objectContaining({ code: "unavailable" }) as Error);
});
