import { expect, test } from "vitest";
import { difference, percentChange, pointsChange } from "./changes.ts";

test("a change names its direction, and nothing is said without a range to compare with", () => {
  expect(percentChange(108, 100)).toBe("+8 %");
  expect(percentChange(50, 100)).toBe("−50 %");
  expect(percentChange(5, 0)).toBe("");
  expect(pointsChange(0.972, 0.991)).toBe("−1.9");
  expect(pointsChange(0.5, 0.5)).toBe("±0");
  expect(pointsChange(null, 0.5)).toBe("");
  expect(difference(4200, 3900)).toBe("+300 ms");
  expect(difference(3000, 5000)).toBe("−2.0 s");
  expect(difference(3000, null)).toBe("");
});
