import { expect, test } from "vitest";
import { imported, set } from "../testing/import-nodes.ts";

test.each([
  [{ field: "cronExpression", expression: "0 0 8 * * 1" }, "0 8 * * 1"],
  [{ field: "minutes", minutesInterval: 15 }, "*/15 * * * *"],
  [{ field: "hours", hoursInterval: 2, triggerAtMinute: 5 }, "5 */2 * * *"],
  [{ triggerAtHour: 6 }, "0 6 * * *"],
  [{ field: "weeks", triggerAtHour: 6 }, "0 6 * * 0"],
  [{ field: "weeks", triggerAtHour: 6, triggerAtDay: [] }, "0 6 * * *"],
  [{ field: "months", triggerAtDayOfMonth: 3, triggerAtHour: 9 }, "0 9 3 * *"],
])("the schedule %j is %s", (interval, cron) => {
  const { triggers } = imported([
    { name: "Every", type: "scheduleTrigger", parameters: { rule: { interval: [interval] } } },
    { name: "Next", ...set("1") },
  ]);
  expect(triggers).toMatchObject([{ kind: "schedule", cron }]);
});

test.each([
  [{ field: "minutes", minutesInterval: 15 }, ""],
  [{ field: "minutes", minutesInterval: 50 }, "from the last run"],
  [{ field: "hours", hoursInterval: 8 }, ""],
  [{ field: "hours", hoursInterval: 5 }, "from the last run"],
])("an interval that cron cannot repeat evenly is to check: %j", (interval, note) => {
  const parameters = { rule: { interval: [interval] } };
  const { triggers } = imported([{ name: "Every", type: "scheduleTrigger", parameters }]);
  const [trigger] = triggers;
  if (note === "") expect(trigger?.note).not.toContain("interval");
  else expect(trigger?.note).toContain(note);
});
