import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

test("a slot is free while fewer tasks run than the limit; a child task always starts", () => {
  let running = 1;
  const slots = createSlots(2, () => running);
  expect(slots.free()).toBe(1);
  expect(slots.canStart(false)).toBe(true);
  running = 2;
  expect(slots.canStart(false)).toBe(false);
  expect(slots.canStart(true)).toBe(true);
});

test("reserved slots are not free until they are released", () => {
  const slots = createSlots(3, () => 1);
  const kept = slots.reserve(5);
  expect(kept.count).toBe(2);
  expect(slots.canStart(false)).toBe(false);
  expect(slots.reserve(1).count).toBe(0);
  kept.release();
  expect(slots.free()).toBe(2);
});

test("with more runs than slots, none can be reserved", () => {
  const slots = createSlots(1, () => 3);
  expect(slots.reserve(1).count).toBe(0);
  expect(slots.free()).toBe(-2);
});

test("the full mark stays until the next poll clears it", () => {
  const slots = createSlots(1, () => 0);
  expect(slots.markedFull).toBe(false);
  slots.markFull();
  expect(slots.markedFull).toBe(true);
  slots.clearFull();
  expect(slots.markedFull).toBe(false);
});

test("a stopping process starts nothing", () => {
  const slots = createSlots(1, () => 0);
  slots.close();
  expect(slots.closed).toBe(true);
  expect(() => slots.canStart(true)).toThrow(expect.objectContaining({ code: "unavailable" }) as Error);
});
