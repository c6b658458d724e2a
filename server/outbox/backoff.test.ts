import { expect, test } from "vitest";
import { MAX_ATTEMPTS, retryDelayMs } from "./backoff.ts";

const middle = { random: () => 0.5 };
const HOUR = 3600 * 1000;

test("the attempts of one message spread over several days", () => {
  const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelayMs(index + 1, middle));
  expect(delays.slice(0, 3)).toEqual([5_000, 25_000, 125_000]);
  expect(Math.max(...delays)).toBe(24 * HOUR);
  const days = delays.reduce((sum, delay) => sum + delay, 0) / (24 * HOUR);
  expect(days).toBeGreaterThan(3);
  expect(days).toBeLessThan(5);
});

test("the delay varies by a fifth in both directions", () => {
  expect(retryDelayMs(1, { random: () => 0 })).toBe(4_000);
  expect(retryDelayMs(1, { random: () => 1 })).toBe(6_000);
});

test("a receiver may ask for a longer pause, but for no more than a day", () => {
  expect(retryDelayMs(1, { ...middle, retryAfterMs: 60_000 })).toBe(60_000);
  expect(retryDelayMs(1, { ...middle, retryAfterMs: 10 })).toBe(5_000);
  expect(retryDelayMs(1, { ...middle, retryAfterMs: 100 * HOUR })).toBe(24 * HOUR);
});
