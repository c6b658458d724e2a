import { describe, expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { usePostgresAndClient } from "../../test/support/postgres.ts";
import { createScheduleClaims } from "./schedule-claims.sql.ts";
import { createScheduleStore } from "./schedule.sql.ts";
import { insertSchedule, insertWorkflow } from "./testing/schedule-samples.ts";

const DUE = Date.parse("2026-01-01T01:00:00Z");
const NOW = DUE + 1000;
const NEXT = DUE + 3600_000;

async function open() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertWorkflow(db);
  return { db, claims: createScheduleClaims(db), store: createScheduleStore(db) };
}

describe("a claim", () => {
  test("takes what is due once, oldest first, and leaves the rest", async () => {
    const { db, claims } = await open();
    await insertSchedule(db, "sch_later", NEXT);
    await insertSchedule(db, "sch_b", DUE);
    await insertSchedule(db, "sch_a", DUE - 1);
    expect((await claims.claim(NOW, NOW, 1)).map(({ id }) => id)).toEqual(["sch_a"]);
    expect((await claims.claim(NOW, NOW, 9)).map(({ id }) => id)).toEqual(["sch_b"]);
    expect(await claims.claim(NOW, NOW, 9)).toEqual([]);
    expect(await claims.hasDue(NOW, NOW)).toBe(false);
  });

  test("expires after a crash, keeps the time of the first claim, and ends with the advance", async () => {
    const { db, claims, store } = await open();
    await insertSchedule(db, "sch_1", DUE);
    const [first] = await claims.claim(NOW, NOW, 9);
    expect(await claims.nextDueAt(NOW)).toBe(NOW + 30_000);
    const later = NOW + 90_000;
    expect(await claims.hasDue(later, later)).toBe(true);
    const [second] = await claims.claim(later, later, 9);
    expect([first, second]).toMatchObject([{ claimedAt: NOW }, { claimedAt: NOW }]);
    await claims.advance(second!, { next: NEXT, waitingAt: null, last: { at: later, taskId: "task_1" } });
    // The first process was only slow, and its end is stored after the next run was claimed.
    const [third] = await claims.claim(NEXT, NEXT, 9);
    await claims.advance(first!, { next: NEXT, waitingAt: DUE, last: { at: later, taskId: "task_0" } });
    expect(await store.get("sch_1", "user_1")).toMatchObject({ nextRunAt: NEXT, lastTaskId: "task_1" });
    expect(third).toMatchObject({ claimedAt: NEXT, waitingAt: null });
  });

  test("ends when the times change, and a new name neither ends it nor moves the next run back", async () => {
    const { db, claims, store } = await open();
    await insertSchedule(db, "sch_1", DUE);
    const before = await store.get("sch_1", "user_1");
    const [claim] = await claims.claim(NOW, NOW, 9);
    await claims.advance(claim!, { next: NEXT, waitingAt: null, last: undefined });
    await store.update(
      { ...before, name: "Hourly", updatedAt: 1 },
      { expectedUpdatedAt: 0, hasNewTimes: false },
    );
    expect(await store.get("sch_1", "user_1")).toMatchObject({ name: "Hourly", nextRunAt: NEXT });
    const [other] = await claims.claim(NEXT, NEXT, 9);
    await store.update(
      { ...before, nextRunAt: NEXT + 5, updatedAt: 2 },
      { expectedUpdatedAt: 1, hasNewTimes: true },
    );
    await claims.advance(other!, { next: NEXT + 99, waitingAt: null, last: undefined });
    expect(await store.get("sch_1", "user_1")).toMatchObject({ nextRunAt: NEXT + 5 });
    expect(await claims.nextDueAt(NOW)).toBe(NEXT + 5);
  });

  test("pauses a schedule whose row cannot be read, and takes the others", async () => {
    const { db, claims } = await open();
    await insertSchedule(db, "sch_bad", DUE - 1);
    await insertSchedule(db, "sch_good", DUE);
    await db.batch([{ sql: "update schedule set input = '{' where id = 'sch_bad'" }]);
    expect((await claims.claim(NOW, NOW, 9)).map(({ id }) => id)).toEqual(["sch_good"]);
    const [bad] = await db.query(
      "select active, next_run_at, claimed_until from schedule where id = 'sch_bad'",
    );
    expect(bad).toEqual({ active: 0, next_run_at: null, claimed_until: null });
  });

  test("takes a schedule with a queued run when its last task has ended or was removed", async () => {
    const { db, claims } = await open();
    const insertTask = (status: string) => ({
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
            values ('task_1', 'user_1', 'wf_1', 1, $status, 'schedule', '{}', 0, 1, 0, 0, 0, 0)`,
      params: { status },
    });
    await db.batch([insertTask("waiting_approval")]);
    await insertSchedule(db, "sch_1", DUE, { overlap: "queue", lastTaskId: "task_1" });
    const [claim] = await claims.claim(NOW, NOW, 9);
    expect(claim).toMatchObject({ previousRuns: true, waitingAt: null });
    await claims.advance(claim!, { next: NEXT, waitingAt: DUE, last: undefined });
    expect(await claims.hasDue(NOW, NOW)).toBe(false);
    expect(await claims.nextDueAt(NOW)).toBe(NOW + 1000);
    await db.batch([{ sql: "update task set status = 'completed' where id = 'task_1'" }]);
    expect(await claims.hasDue(NOW, NOW)).toBe(true);
    const [waiting] = await claims.claim(NOW, NOW, 9);
    expect(waiting).toMatchObject({ previousRuns: false, waitingAt: DUE, nextRunAt: NEXT });
    await claims.release([waiting!]);
    await db.batch([{ sql: "delete from task where id = 'task_1'" }]);
    expect(await claims.claim(NOW, NOW, 9)).toHaveLength(1);
  });
});

test("on PostgreSQL a process skips the schedules that another one is claiming", async () => {
  const { db, client: other } = await usePostgresAndClient();
  await insertWorkflow(db);
  for (const id of ["sch_1", "sch_2", "sch_3"]) await insertSchedule(db, id, DUE);
  await other.query("begin");
  await other.query("select id from schedule where id in ('sch_1', 'sch_2') for update");
  const claimed = await createScheduleClaims(db).claim(NOW, NOW, 2);
  expect(claimed.map(({ id }) => id)).toEqual(["sch_3"]);
  await other.query("rollback");
});
