import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { systemClock } from "../lib/clock.ts";
import { createScheduleStore } from "./schedule.sql.ts";
import { createSchedules } from "./schedules.ts";

/** Without the schedule loop: only the calls of the test change schedules. */
async function open() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await db.batch([
    { sql: "insert into account (id, email, password_hash, created_at) values ('user_1', 'a@b.c', '', 0)" },
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ('wf_1', 'user_1', 'w', '', 1, '{}', 0, 0, 0, 0, 0)`,
    },
  ]);
  const time = { now: Date.parse("2026-01-01T00:30:00Z") };
  const schedules = createSchedules({
    store: createScheduleStore(db),
    clock: { ...systemClock, now: () => time.now },
    requireWorkflow: () => Promise.resolve(),
    onChanged: () => undefined,
  });
  return { schedules, time };
}

test("[R5] a due schedule stays due when its name changes, but not when its times change", async () => {
  const { schedules, time } = await open();
  const { id, nextRunAt } = await schedules.create("user_1", {
    workflowId: "wf_1",
    name: "",
    cron: "0 * * * *",
    timezone: "UTC",
    active: true,
    misfire: "run_once",
  });
  expect(nextRunAt).toBe(Date.parse("2026-01-01T01:00:00Z"));
  time.now = Date.parse("2026-01-01T01:00:01Z");
  const named = await schedules.update("user_1", id, { name: "Hourly" });
  expect(named).toMatchObject({ name: "Hourly", nextRunAt });
  const moved = await schedules.update("user_1", id, { cron: "30 * * * *" });
  expect(moved.nextRunAt).toBe(Date.parse("2026-01-01T01:30:00Z"));
});
