import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDeadline, LONGEST_TIMER_MS } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the signal is aborted with the reason when the time is over", async () => {
  const deadline = createDeadline(100, { reason: () => new Error("too slow") });
  const { signal } = deadline;
  vi.advanceTimersByTime(99);
  expect([signal.aborted, deadline.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([signal.aborted, deadline.aborted, signal.reason]).toEqual([true, true, new Error("too slow")]);
  expect(await deadline.reached).toBeUndefined();
});

test("a signal that is asked for late is aborted as well", () => {
  const deadline = createDeadline(1, { reason: () => "late" });
  vi.advanceTimersByTime(1);
  expect([deadline.signal.aborted, deadline.signal.reason]).toEqual([true, "late"]);
});

test("the outer signal ends it early, with its own reason or another", () => {
  const outer = new AbortController();
  const plain = createDeadline(100, { outer: outer.signal });
  const named = createDeadline(undefined, { outer: outer.signal, outerReason: () => "cancelled" });
  outer.abort("stop");
  expect([plain.signal.reason, named.signal.reason]).toEqual(["stop", "cancelled"]);
  expect(vi.getTimerCount()).toBe(0);
  expect(createDeadline(100, { outer: outer.signal }).aborted).toBe(true);
});

test("a race ends with the work or with the reason, whichever is first", async () => {
  const deadline = createDeadline(100, { reason: () => new Error("too slow") });
  expect(await deadline.race(Promise.resolve("done"))).toBe("done");
  const ignored = deadline.race(new Promise(() => undefined));
  vi.advanceTimersByTime(100);
  await expect(ignored).rejects.toThrow("too slow");
});

test("a restart grants the whole time again, and nothing after the end", () => {
  const deadline = createDeadline(100);
  vi.advanceTimersByTime(60);
  deadline.restart();
  vi.advanceTimersByTime(60);
  expect(deadline.aborted).toBe(false);
  vi.advanceTimersByTime(40);
  expect(deadline.aborted).toBe(true);
  deadline.restart();
  expect(vi.getTimerCount()).toBe(0);
});

test("clearing leaves neither a timer nor a listener behind", () => {
  const outer = new AbortController();
  const deadline = createDeadline(100, { outer: outer.signal });
  deadline.clear();
  outer.abort();
  expect([vi.getTimerCount(), deadline.aborted]).toEqual([0, false]);
});

test("a time beyond the longest timer does not end at once", () => {
  const deadline = createDeadline(LONGEST_TIMER_MS * 2);
  vi.advanceTimersByTime(1000);
  expect(deadline.aborted).toBe(false);
  deadline.clear();
});

test("a listener added after the end is called, too", async () => {
  const deadline = createDeadline(1);
  vi.advanceTimersByTime(1);
  const listener = vi.fn<() => void>();
  deadline.onAbort(listener);
  await Promise.resolve();
  expect(listener).toHaveBeenCalledOnce();
});

test("a deadline can be the outer one of another", () => {
  const outer = createDeadline(100, { reason: () => "late" });
  const inner = createDeadline(1000, { outer });
  const cleared = createDeadline(1000, { outer });
  cleared.clear();
  vi.advanceTimersByTime(100);
  expect([inner.aborted, inner.reason, cleared.aborted]).toEqual([true, "late", false]);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that has ended wins against a deadline that is over", async () => {
  const deadline = createDeadline(1);
  vi.advanceTimersByTime(1);
  expect(await deadline.race(Promise.resolve("done"))).toBe("done");
});
