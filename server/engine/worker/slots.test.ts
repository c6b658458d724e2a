import { expect, test } from "vitest";
import { createPlaces } from "./slots.ts";

test("there is a place as long as fewer run than may; what a step starts always has one", () => {
  let running = 1;
  const places = createPlaces(2, () => running);
  expect(places.left()).toBe(1);
  expect(places.has(false)).toBe(true);
  running = 2;
  expect(places.has(false)).toBe(false);
  expect(places.has(true)).toBe(true);
});

test("places that are kept are nobody else's until they are released", () => {
  const places = createPlaces(3, () => 1);
  const kept = places.keep(5);
  expect(kept.count).toBe(2);
  expect(places.has(false)).toBe(false);
  expect(places.keep(1).count).toBe(0);
  kept.release();
  expect(places.left()).toBe(2);
});

test("with more under way than there are places, none can be kept", () => {
  const places = createPlaces(1, () => 3);
  expect(places.keep(1).count).toBe(0);
  expect(places.left()).toBe(-2);
});

test("what waits for a place is remembered until somebody looks", () => {
  const places = createPlaces(1, () => 0);
  expect(places.wanted).toBe(false);
  places.want();
  expect(places.wanted).toBe(true);
  places.satisfy();
  expect(places.wanted).toBe(false);
});

test("a process that is stopping has none", () => {
  const places = createPlaces(1, () => 0);
  places.close();
  expect(places.closed).toBe(true);
  expect(() => places.has(true)).toThrow(expect.objectContaining({ code: "unavailable" }) as Error);
});
