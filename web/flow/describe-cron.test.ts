import { expect, test } from "vitest";
import { describeCron } from "./describe-cron.ts";

test.each([
  ["0 8 * * *", "every day at 08:00"],
  ["30 17 * * 1-5", "Monday to Friday at 17:30"],
  ["0 9 1 * *", "on day 1 of each month at 09:00"],
  ["5 0 * * 0", "every Sunday at 00:05"],
  ["5 0 * * 7", "every Sunday at 00:05"],
  ["*/15 * * * *", "every 15 minutes"],
  ["0 * * * *", "every hour"],
  ["7 * * * *", "every hour at 07 past"],
  ["* * * * *", "every minute"],
])("%s is %s", (cron, description) => {
  expect(describeCron(cron)).toBe(description);
});

test.each([
  "*/7 * * * *",
  "0 8 1 * 1",
  "0 8 * 3 *",
  "0 8-17 * * *",
  "0 0 8 * * *",
  "61 8 * * *",
  "@daily",
  "",
])("“%s” has no description", (cron) => {
  expect(describeCron(cron)).toBeUndefined();
});
