import { expect, test } from "vitest";
import { Stopper, stopBy } from "./stop.ts";

test("a signal created before or after the stop is aborted", () => {
  const [early, late] = [new Stopper(), new Stopper()];
  const { signal } = early;
  expect([early.aborted, signal.aborted]).toEqual([false, false]);
  early.abort();
  late.abort();
  expect([early.aborted, signal.aborted, late.aborted, late.signal.aborted]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(early.signal).toBe(signal);
});

test("an existing signal can be the stop", () => {
  const controller = new AbortController();
  const stop = stopBy(controller.signal);
  expect(stop.aborted).toBe(false);
  controller.abort();
  expect([stop.aborted, stop.signal.aborted]).toEqual([true, true]);
});
