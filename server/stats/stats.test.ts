import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import type { StatsQuery } from "../../contract/stats.ts";
import { createId } from "../lib/ids.ts";
import { createPrunableTasks } from "../retention/task-retention.sql.ts";
import type { Db } from "../storage/db.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createStats } from "./stats.ts";
import { createStatsStore } from "./stats.sql.ts";

const HOUR = 3600 * 1000;
const MINUTE = 60_000;
const NOW = Date.parse("2030-01-31T12:30:00Z");
let db: Db;
let close: () => Promise<void>;
let now = NOW;
beforeEach(async () => {
  now = NOW;
  ({ db, close } = await openTestDb());
  await db.batch(
    ["ada", "bob"].map((id) => ({
      sql: "insert into workspace (id, name, kind, created_at) values ($id, '', 'personal', 0)",
      params: { id },
    })),
  );
});
afterEach(() => close());

interface Given {
  owner?: string;
  workflow?: string;
  status?: string;
  trigger?: string;
  version?: number;
  /** The task that started it. */
  root?: string;
  /** Time of the end; of the begin for an open task. */
  agoMs: number;
  durationMs?: number | null;
  error?: object;
}

async function insertTask(given: Given): Promise<string> {
  const { owner = "ada", workflow = "wf_1", status = "completed", agoMs, durationMs = 100 } = given;
  const isOpen = ["queued", "running", "waiting", "waiting_approval"].includes(status);
  const end = NOW - agoMs;
  const id = createId("task", end);
  await db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, error, depth, epoch, wake, lives, lives_seq,
              created_at, started_at, completed_at, root_task_id) values ($1, $2, $3, $10, $4, $9, '{}', $5, 0, 1, 0, 0, 0, $6, $7, $8, $11)`,
      params: [
        id,
        owner,
        workflow,
        status,
        given.error === undefined ? null : JSON.stringify(given.error),
        isOpen ? end : end - (durationMs ?? 0),
        durationMs === null ? null : end - durationMs,
        isOpen ? null : end,
        given.trigger ?? "api",
        given.version ?? 1,
        given.root ?? null,
      ],
    },
  ]);
  return id;
}

async function insertWorkflows(...ids: string[]): Promise<void> {
  await db.batch(
    ids.map((id) => ({
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ($id, 'ada', 'Report', '', 1, '{}', 0, 1, 1, 0, 0)`,
      params: { id },
    })),
  );
}

function read(query: Partial<StatsQuery> = {}, userId = "ada") {
  const stats = createStats({ store: createStatsStore(db), clock: { now: () => now, monotonic: () => 0 } });
  return stats.read(userId, { range: "24h", workflowId: undefined, utcOffset: 0, ...query });
}

const storedHours = async () => (await db.query("select hour from task_hour")).length;

test("the series counts runs by the hour in which they ended, and open runs by the hour in which they began", async () => {
  for (const status of ["completed", "completed", "failed", "cancelled", "rejected", "running", "queued"])
    await insertTask({ status, agoMs: 10 * MINUTE });
  for (const status of ["completed", "failed", "waiting", "waiting_approval"])
    await insertTask({ status, agoMs: 5 * HOUR });
  const { series, totals, now: current } = await read();
  expect(series).toHaveLength(24);
  expect(series.at(-1)).toMatchObject({
    at: "2030-01-31T12:00:00.000Z",
    completed: 2,
    failed: 1,
    cancelled: 1,
    rejected: 1,
    running: 2,
    waiting: 0,
  });
  expect(series.at(-6)).toMatchObject({
    at: "2030-01-31T07:00:00.000Z",
    completed: 1,
    failed: 1,
    waiting: 2,
  });
  expect(totals).toMatchObject({ runs: 11, completed: 3, failed: 2, cancelled: 1, rejected: 1 });
  expect(totals.successRate).toBeCloseTo(0.6);
  expect(current).toEqual({ running: 1, queued: 1, waiting: 1, waitingApproval: 1 });
});

test("an account sees only its own runs, and a workflow only its own", async () => {
  await insertTask({ agoMs: 4 * HOUR });
  await insertTask({ agoMs: 4 * HOUR, workflow: "wf_2", status: "failed" });
  await insertTask({ agoMs: 4 * HOUR, owner: "bob" });
  await insertTask({ agoMs: 4 * HOUR, workflow: "session", status: "cancelled" });
  expect((await read()).totals.runs).toBe(2);
  expect((await read({ workflowId: "wf_2" })).totals).toMatchObject({ runs: 1, failed: 1 });
  expect((await read({ workflowId: "wf_2" }, "bob")).totals.runs).toBe(0);
  // The second time from the stored counts.
  expect((await read({ workflowId: "wf_2" })).totals).toMatchObject({ runs: 1, failed: 1 });
});

test("tests of steps and drafts, and the runs they start, are neither counted nor listed", async () => {
  await insertWorkflows("wf_1");
  const failed = { status: "failed", error: { code: "http_error" } };
  for (const agoMs of [10 * MINUTE, 10 * HOUR]) {
    await insertTask({ agoMs, root: await insertTask({ agoMs }), trigger: "workflow" });
    for (const test of [{ trigger: "partial" }, { trigger: "manual", version: -3 }]) {
      const root = await insertTask({ agoMs, ...failed, ...test });
      await insertTask({ agoMs, ...failed, trigger: "workflow", root });
      await insertTask({ agoMs, status: "waiting_approval", ...test });
    }
  }
  for (const workflowId of [undefined, "wf_1"])
    expect(await read({ workflowId })).toMatchObject({
      totals: { runs: 4, completed: 4, failed: 0 },
      now: { running: 0, waitingApproval: 0 },
    });
  const stats = createStats({ store: createStatsStore(db), clock: { now: () => now, monotonic: () => 0 } });
  expect((await stats.listFailures("ada", { range: "24h" })).failures).toEqual([]);
  const [recent] = await stats.listRecentRuns("ada");
  expect(recent?.runs.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
});

test("the range before ends at the same time of its last hour", async () => {
  await insertTask({ agoMs: 24 * HOUR + 10 * MINUTE });
  await insertTask({ agoMs: 24 * HOUR - 10 * MINUTE });
  await insertTask({ agoMs: 30 * HOUR, status: "failed" });
  const { previous, totals, series } = await read();
  expect(previous).toMatchObject({ runs: 2, completed: 1, failed: 1, successRate: 0.5 });
  expect(totals.runs).toBe(0);
  // A bar of the series is compared with the whole hour of the range before.
  expect(series.at(-1)?.previousRuns).toBe(2);
});

test("percentiles are within 5 % and leave out runs that were cancelled or never started", async () => {
  for (let index = 1; index <= 100; index++)
    await insertTask({ agoMs: 3 * HOUR + index, durationMs: index * 37 });
  await insertTask({ agoMs: 3 * HOUR, status: "cancelled", durationMs: 9_000_000 });
  await insertTask({ agoMs: 3 * HOUR, status: "failed", durationMs: null });
  for (const { p50Ms, p95Ms } of [(await read()).totals, (await read()).totals]) {
    expect(Math.abs(p50Ms! / (50 * 37) - 1)).toBeLessThan(0.05);
    expect(Math.abs(p95Ms! / (95 * 37) - 1)).toBeLessThan(0.05);
  }
});

test("hours of the past are counted once, and the last hours each time", async () => {
  await insertTask({ agoMs: 10 * HOUR });
  await insertTask({ agoMs: 40 * MINUTE });
  expect((await read()).totals.runs).toBe(2);
  expect(await storedHours()).toBeGreaterThan(0);
  await db.batch([{ sql: "delete from task" }]);
  // Deleted without `forgetHours`: only the stored hour is left.
  expect((await read()).totals.runs).toBe(1);
});

test("a rerun takes the failed run out of its hour, and the end of the rerun counts", async () => {
  const id = await insertTask({ agoMs: 10 * HOUR, status: "failed" });
  for (const workflowId of [undefined, "wf_1"])
    expect((await read({ workflowId })).totals).toMatchObject({ completed: 0, failed: 1 });
  const store = createEngineStore(db);
  const entry = { seq: 1, kind: "rerun" as const, status: "queued" as const, cleared: [], at: NOW };
  expect(await store.reopen(id, "failed", entry, 1, NOW)).toBe(true);
  for (const workflowId of [undefined, "wf_1"])
    expect((await read({ workflowId })).totals).toMatchObject({ completed: 0, failed: 0 });
  await db.batch([
    {
      sql: "update task set status = 'completed', run_at = null, completed_at = $now where id = $id",
      params: { now: NOW, id },
    },
  ]);
  expect((await read()).totals).toMatchObject({ completed: 1, failed: 0 });
});

test.each(["remove", "hide"] as const)("a run that retention deletes (%s) leaves the counts", async (how) => {
  const id = await insertTask({ agoMs: 10 * HOUR });
  await insertTask({ agoMs: 10 * HOUR });
  expect((await read()).totals.runs).toBe(2);
  const tasks = createPrunableTasks(db);
  await (how === "remove" ? tasks.remove([id]) : tasks.hide(id));
  expect((await read()).totals.runs).toBe(1);
});

test("stored counts are deleted after 62 days and with the account", async () => {
  await insertTask({ agoMs: 10 * HOUR });
  await insertTask({ agoMs: -80 * 24 * HOUR });
  await read();
  const before = await storedHours();
  expect(before).toBeGreaterThan(0);
  now = NOW + 81 * 24 * HOUR;
  await read({ range: "7d" });
  const [row] = await db.query("select min(hour) as oldest from task_hour");
  expect(Number(row?.["oldest"])).toBeGreaterThan(NOW / HOUR);
  expect(await createStatsStore(db).removeHours("ada", 1000)).toBeGreaterThan(0);
  expect(await storedHours()).toBe(0);
});

test("days begin at midnight of local time", async () => {
  const { series, bucketMs } = await read({ range: "30d", utcOffset: 120 });
  expect(bucketMs).toBe(24 * HOUR);
  expect(series).toHaveLength(30);
  expect(series.at(-1)?.at).toBe("2030-01-30T22:00:00.000Z");
});

test("a month is the sum of its stored and its counted hours, whatever was stored before", async () => {
  for (let hour = 0; hour < 29 * 24; hour += 7) await insertTask({ agoMs: hour * HOUR + 5 * MINUTE });
  const expected = Math.ceil((29 * 24) / 7);
  await read({ range: "24h" });
  now += 90 * MINUTE;
  expect((await read({ range: "30d" })).totals.completed).toBe(expected);
  expect((await read({ range: "30d" })).totals.completed).toBe(expected);
});

test("failures are grouped by workflow, step, code and message without ids and numbers", async () => {
  const error = (message: string, stepId = "fetch", code = "http_error") => ({ code, message, stepId });
  await insertTask({ agoMs: 30 * HOUR, status: "failed", error: error("Order 1 failed with 500") });
  const first = await insertTask({
    agoMs: 3 * HOUR,
    status: "failed",
    error: error("Order 17 failed with 500"),
  });
  const last = await insertTask({
    agoMs: 2 * HOUR,
    status: "failed",
    error: error("Order 18 failed with 503", "fetch"),
  });
  await insertTask({ agoMs: HOUR, status: "failed", error: error("Order 18 failed with 503", "send") });
  const stats = createStats({ store: createStatsStore(db), clock: { now: () => now, monotonic: () => 0 } });
  const { failures, complete } = await stats.listFailures("ada", { range: "24h" });
  expect(complete).toBe(true);
  expect(failures).toHaveLength(2);
  expect(failures[0]).toMatchObject({
    workflowId: "wf_1",
    stepId: "fetch",
    code: "http_error",
    message: "Order 18 failed with 503",
    count: 2,
    taskIds: [last, first],
    firstAt: "2030-01-31T09:30:00.000Z",
    lastAt: "2030-01-31T10:30:00.000Z",
  });
  expect((await stats.listFailures("bob", { range: "24h" })).failures).toEqual([]);
});

test("the last 20 runs of each workflow are listed, newest first", async () => {
  await insertWorkflows("wf_1", "wf_2");
  for (let index = 30; index > 1; index--) await insertTask({ agoMs: index * HOUR, durationMs: index });
  const last = await insertTask({ agoMs: HOUR, status: "failed", durationMs: 7 });
  const stats = createStats({ store: createStatsStore(db), clock: { now: () => now, monotonic: () => 0 } });
  const [second, first] = await stats.listRecentRuns("ada");
  expect(second).toEqual({ workflowId: "wf_2", runs: [], lastRun: null });
  expect(first?.runs).toHaveLength(20);
  expect(first?.runs.slice(0, 2)).toEqual([
    { status: "failed", durationMs: 7 },
    { status: "completed", durationMs: 2 },
  ]);
  expect(first?.lastRun).toMatchObject({ taskId: last, status: "failed" });
  expect(await stats.listRecentRuns("bob")).toEqual([]);
});
