import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { systemClock } from "../lib/clock.ts";
import { createScheduleStore } from "./schedule.sql.ts";
import { createSchedules } from "./schedules.ts";
import { insertWorkflow } from "./testing/schedule-samples.ts";

const given = {
  workflowId: "wf_1",
  name: "",
  timezone: "UTC",
  active: true,
  misfire: "run_once" as const,
  overlap: "allow" as const,
};

/** Without the schedule loop: only the calls of the test change schedules. */
async function open(minIntervalSeconds = 60) {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertWorkflow(db);
  const time = { now: Date.parse("2026-01-01T00:30:00Z") };
  const store = createScheduleStore(db);
  const schedules = createSchedules({
    store,
    clock: { ...systemClock, now: () => time.now },
    minIntervalSeconds,
    checkWorkflow: () => Promise.resolve(),
    onChanged: () => undefined,
  });
  return { schedules, time, store };
}

test("[R5] a due schedule stays due when its name changes, but not when its times change", async () => {
  const { schedules, time } = await open();
  const { id, nextRunAt } = await schedules.create("user_1", {
    ...given,
    cron: "0 * * * *",
  });
  expect(nextRunAt).toBe(Date.parse("2026-01-01T01:00:00Z"));
  time.now = Date.parse("2026-01-01T01:00:01Z");
  const named = await schedules.update("user_1", id, { name: "Hourly" });
  expect(named).toMatchObject({ name: "Hourly", nextRunAt });
  const moved = await schedules.update("user_1", id, { cron: "30 * * * *" });
  expect(moved.nextRunAt).toBe(Date.parse("2026-01-01T01:30:00Z"));
});

test("a pattern below the shortest interval is refused at create and update, and 0 allows it", async () => {
  const { schedules } = await open();
  const refused = { code: "invalid_request", details: [{ path: "cron" }] };
  const everySecond = { ...given, cron: "* * * * * *" };
  await expect(schedules.create("user_1", everySecond)).rejects.toMatchObject(refused);
  const { id } = await schedules.create("user_1", { ...given, cron: "0 * * * *" });
  await expect(schedules.update("user_1", id, { cron: "*/30 * * * * *" })).rejects.toMatchObject(refused);
  expect((await schedules.get("user_1", id)).cron).toBe("0 * * * *");
  const unlimited = await open(0);
  await expect(unlimited.schedules.create("user_1", everySecond)).resolves.toMatchObject(everySecond);
});

test("a schedule from before the limit can be renamed, paused and resumed", async () => {
  const { schedules, store } = await open();
  const created = await schedules.create("user_1", { ...given, cron: "0 * * * *" });
  const everySecond = { ...created, cron: "* * * * * *", updatedAt: created.updatedAt + 1 };
  await store.update(everySecond, { expectedUpdatedAt: created.updatedAt, hasNewTimes: true });
  const { id } = created;
  for (const change of [{ name: "Ticker" }, { active: false }, { active: true, timezone: "Asia/Tokyo" }])
    expect(await schedules.update("user_1", id, change)).toMatchObject(change);
});
