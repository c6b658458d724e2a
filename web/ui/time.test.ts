import { expect, test } from "vitest";
import { bucketLabel } from "./charts/stats-bars.ts";
import { clockTime, duration, shortDateTime } from "./time.ts";

test("the first hour of a day is 00, not 24", () => {
  const at = new Date(2026, 0, 2, 0, 5, 9);
  expect(clockTime(at.toISOString())).toBe("00:05:09");
  expect(shortDateTime(at.toISOString(), at)).toBe("00:05");
  expect(shortDateTime(at.toISOString(), new Date(2026, 0, 3))).toContain("00:05");
  expect(bucketLabel(at.toISOString(), "24h")).toBe("00:05");
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [59_949, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_700, "2 min 0 s"],
  [3_599_700, "1 h 0 min"],
  [7_199_000, "2 h 0 min"],
  [5_400_000, "1 h 30 min"],
])("%i ms are shown as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});
