import { expect, test } from "vitest";
import { createHourlyBudget } from "./hourly-budget.ts";

test("an hour begins with the first use of an owner and ends by itself", () => {
  let now = 0;
  const budget = createHourlyBudget({ monotonic: () => now });
  budget.add("a", 5);
  now = 1_800_000;
  budget.add("b", 1);
  budget.add("a", 2);
  expect([budget.used("a"), budget.used("b"), budget.resetInMs("a")]).toEqual([7, 1, 1_800_000]);
  now = 3_600_000;
  expect([budget.used("a"), budget.used("b"), budget.resetInMs("a")]).toEqual([0, 1, 0]);
  budget.add("a", 3);
  expect([budget.used("a"), budget.resetInMs("a")]).toEqual([3, 3_600_000]);
});
