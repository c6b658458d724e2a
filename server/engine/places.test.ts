import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

test("a place is held from before the task is written until it runs", () => {
  let running = 0;
  const places = createPlaces(2, () => running);
  const first = places.take(false)!;
  expect(places.left()).toBe(1);
  running = 1;
  first.free();
  expect(places.left()).toBe(1);
  expect(places.take(false)).toBeDefined();
  expect(places.take(false)).toBeUndefined();
  expect(places.take(true)).toBeDefined();
  expect(places.left()).toBe(-1);
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
  expect(() => places.take(true)).toThrow(expect.objectContaining({ code: "unavailable" }) as Error);
});
