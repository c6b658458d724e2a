import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeapGrowth } from "./heap-growth.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("garbage is bounded until a few seconds after the last call, and again by the next one", () => {
  const flags: string[] = [];
  const { bound } = createHeapGrowth((text) => void flags.push(text.replace("--heap-growing-percent=", "")));
  bound();
  vi.advanceTimersByTime(9000);
  bound();
  vi.advanceTimersByTime(9000);
  expect(flags).toEqual(["100"]);
  vi.advanceTimersByTime(1000);
  expect(flags).toEqual(["100", "0"]);
  bound();
  expect(flags).toEqual(["100", "0", "100"]);
});
