import { afterEach, expect, test, vi } from "vitest";
import { allowedMs, createReadingTimer, defaultReadingTime } from "./reading-time.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a file earns reading time by its size and by every page that is done, up to the limit", () => {
  const time = { startMs: 1000, perMegabyteMs: 100, perPageMs: 10, maxCpuMs: 9000, timeoutMs: 9000 };
  expect(allowedMs(time, { bytes: 0, pagesDone: 0 })).toBe(1000);
  expect(allowedMs(time, { bytes: 3 * 2 ** 20, pagesDone: 0 })).toBe(1300);
  expect(allowedMs(time, { bytes: 3 * 2 ** 20, pagesDone: 50 })).toBe(1800);
  expect(allowedMs(time, { bytes: 0, pagesDone: 5000 })).toBe(9000);
});

test("[S27] a small file without progress gets fifteen seconds of CPU time, a long one two minutes", () => {
  expect(allowedMs(defaultReadingTime, { bytes: 6000, pagesDone: 0 })).toBeLessThan(16_000);
  expect(allowedMs(defaultReadingTime, { bytes: 10_000_000, pagesDone: 1000 })).toBe(120_000);
});

test("minutes in which scans are recognized do not count as reading", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const onExpired = vi.fn<(seconds: number) => void>();
  const timer = createReadingTimer({ ...defaultReadingTime, timeoutMs: 10_000 }, 0, onExpired);
  vi.advanceTimersByTime(2000);
  timer.pause();
  vi.advanceTimersByTime(1_200_000);
  timer.resume();
  vi.advanceTimersByTime(7000);
  expect(onExpired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(onExpired).toHaveBeenCalledExactlyOnceWith(10);
  timer.stop();
  timer.resume();
  expect(vi.getTimerCount()).toBe(0);
});
