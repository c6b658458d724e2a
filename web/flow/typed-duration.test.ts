import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./typed-duration.ts";

test.each([
  ["30 s", 30_000],
  ["30s", 30_000],
  ["500 ms", 500],
  ["5 min", 300_000],
  ["5 minutes", 300_000],
  ["1 h 30 min", 5_400_000],
  ["1.5 h", 5_400_000],
  ["2 days", 172_800_000],
  ["1 second", 1000],
  ["250", 250],
])("%s is %i milliseconds", (text, ms) => {
  expect(parseDuration(text, "ms")).toBe(ms);
});

test("a number alone counts in the unit of the field", () => {
  expect(parseDuration("60", "s")).toBe(60_000);
});

test.each(["", "soon", "5 apples", "{{input.wait}}", "-3 s"])("%j is not a duration", (text) => {
  expect(parseDuration(text, "s")).toBeUndefined();
});

test.each([0, 1, 999, 1000, 30_000, 90_000, 5_400_000, 86_400_000, 90_061_001])(
  "%i ms is written so that it reads back as the same value",
  (ms) => {
    expect(parseDuration(formatDuration(ms), "ms")).toBe(ms);
  },
);

test("durations are written in the largest units", () => {
  expect([formatDuration(30_000), formatDuration(5_400_000), formatDuration(0)]).toEqual([
    "30 s",
    "1 h 30 min",
    "0 s",
  ]);
});
