import { expect, test } from "vitest";
import { allowedMs, defaultReadingTime } from "./reading-time.ts";

test("a file earns reading time by its size and by every page that is done, up to the limit", () => {
  const time = { startMs: 1000, perMegabyteMs: 100, perPageMs: 10, timeoutMs: 9000 };
  expect(allowedMs(time, { bytes: 0, pagesDone: 0 })).toBe(1000);
  expect(allowedMs(time, { bytes: 3 * 2 ** 20, pagesDone: 0 })).toBe(1300);
  expect(allowedMs(time, { bytes: 3 * 2 ** 20, pagesDone: 50 })).toBe(1800);
  expect(allowedMs(time, { bytes: 0, pagesDone: 5000 })).toBe(9000);
});

test("[S27] a small file without progress holds a reader for half a minute, a long one may take minutes", () => {
  expect(allowedMs(defaultReadingTime, { bytes: 6000, pagesDone: 0 })).toBeLessThan(40_000);
  expect(allowedMs(defaultReadingTime, { bytes: 10_000_000, pagesDone: 1000 })).toBe(120_000);
});
