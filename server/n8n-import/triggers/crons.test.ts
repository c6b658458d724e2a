import { expect, test } from "vitest";
import { imported, set } from "../testing/import-nodes.ts";

test.each([
  [{ field: "cronExpression", expression: "0 0 8 * * 1" }, "0 8 * * 1"],
  [{ field: "minutes", minutesInterval: 15 }, "*/15 * * * *"],
  [{ field: "hours", hoursInterval: 2, triggerAtMinute: 5 }, "5 */2 * * *"],
  [{ triggerAtHour: 6 }, "0 6 * * *"],
  [{ field: "months", triggerAtDayOfMonth: 3, triggerAtHour: 9 }, "0 9 3 * *"],
])("the schedule %j is %s", (interval, cron) => {
  const { triggers } = imported([
    { name: "Every", type: "scheduleTrigger", parameters: { rule: { interval: [interval] } } },
    { name: "Next", ...set("1") },
  ]);
  expect(triggers).toMatchObject([{ kind: "schedule", cron }]);
});
