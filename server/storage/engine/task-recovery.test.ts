import { describe, expect, onTestFinished, test } from "vitest";
import { accepted, NOW, queued } from "../../engine/testing/store-samples.ts";
import { openTestDb } from "../../../test/support/open-db.ts";
import { usePostgres, usePostgresAndClient } from "../../../test/support/postgres.ts";
import type { Db, Row } from "../db.ts";
import { createEngineStore } from "./engine-store.ts";

async function useSqlite(): Promise<Db> {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  return db;
}

const QUEUED = 12_000;
const HOUR = 3_600_000;

/** Among three times as many that have ended: where most rows match, reading all of them is cheaper than an index. */
async function insertQueued(db: Db): Promise<void> {
  const insert = (prefix: string, count: number, status: string, runAt: string) => ({
    sql: `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, run_at)
          with recursive tasks (n) as (select 1 union all select n + 1 from tasks where n < ${count})
          select '${prefix}_' || n, 'user_1', 'task', 'wf_1', 1, '${status}', 'manual', '{}', 0, 1, 0, 0, 0, 0, ${runAt} from tasks`,
  });
  await db.batch([
    insert("task", QUEUED, "queued", `${NOW} - n`),
    insert("ended", 3 * QUEUED, "completed", "cast(null as bigint)"),
    ...(db.dialect === "postgres" ? [{ sql: "analyze task" }] : []),
  ]);
}

/** Collects the plans of all statements, which then run. */
function explaining(db: Db, plans: string[]): Db {
  const explain = db.dialect === "postgres" ? "explain" : "explain query plan";
  const planOf = (row: Row): string => String(row["QUERY PLAN"] ?? row["detail"]);
  return {
    ...db,
    async query(sql, params) {
      plans.push(...(await db.query(`${explain} ${sql}`, params)).map(planOf));
      return db.query(sql, params);
    },
    async batch(statements, options) {
      for (const { sql, params } of statements)
        plans.push(...(await db.query(`${explain} ${sql}`, params)).map(planOf));
      return db.batch(statements, options);
    },
  };
}

describe.each([
  ["SQLite", useSqlite],
  ["PostgreSQL", () => usePostgres()],
])("on %s", (_name, open) => {
  test("recovery and the statistics read thousands of queued tasks through an index", async () => {
    const db = await open();
    await insertQueued(db);
    const plans: string[] = [];
    const store = createEngineStore(explaining(db, plans));
    expect(await store.recover(NOW, 3, NOW)).toMatchObject({ recovered: 0 });
    await store.backlog(NOW, 1000);
    expect(plans.join("\n")).toMatch(/task_due/);
    expect(plans.filter((line) => /SCAN task\b|Seq Scan on task\b/.test(line))).toEqual([]);
  });

  test("the statistics count due tasks of every lane, at most 10,000 of each, and the oldest of all", async () => {
    const db = await open();
    const store = createEngineStore(db);
    expect(await store.backlog(NOW, 1000)).toEqual({ due: 0, oldestDueAt: null, stuck: 0 });
    await store.accept(queued(NOW + 1));
    expect(await store.backlog(NOW, 1000)).toEqual({ due: 0, oldestDueAt: null, stuck: 0 });
    await insertQueued(db);
    await store.accept(queued(NOW - 50_000));
    await db.batch([{ sql: "update task set lane = 'session' where id in ('task_1', 'task_2')" }]);
    expect(await store.backlog(NOW, 1000)).toEqual({
      due: 10_002,
      oldestDueAt: NOW - 50_000,
      stuck: 0,
    });
  });

  test("recovery removes the rows of processes that died an hour ago, and a heartbeat inserts one again", async () => {
    const db = await open();
    const store = createEngineStore(db);
    const workers = async () => (await db.query("select id from worker order by id")).map(({ id }) => id);
    const live = NOW + HOUR;
    await store.heartbeat("worker_dead", NOW);
    await store.heartbeat("worker_live", live);
    await accepted(store, { workerId: "worker_dead" });
    expect(await store.recover("all", 3, NOW)).toMatchObject({ recovered: 1 });
    await accepted(store, { workerId: "worker_dead" });
    expect(await store.recover(live, 3, live)).toMatchObject({ recovered: 1 });
    expect(await workers()).toEqual(["worker_dead", "worker_live"]);
    // Also when it left no task behind.
    expect(await store.recover(live + 1, 3, live)).toMatchObject({ recovered: 0 });
    expect(await workers()).toEqual(["worker_live"]);
    await store.heartbeat("worker_dead", live);
    expect(await workers()).toEqual(["worker_dead", "worker_live"]);
  });
});

/** A task update waits in the middle of its statement while this lock is held. */
const PAUSE_LOCK = 4711;

test("[R4] a process that resumes while its tasks are taken over waits and then sees that they are gone", async () => {
  const { db, client: other } = await usePostgresAndClient();
  const store = createEngineStore(db);
  await store.heartbeat("worker_1", NOW);
  const task = await accepted(store, { workerId: "worker_1" });
  await other.query(
    `create function pause_update() returns trigger language plpgsql as $$ begin
       perform pg_advisory_xact_lock(${PAUSE_LOCK}); return new;
     end $$;
     create trigger pause_update before update on task for each row execute function pause_update();
     select pg_advisory_lock(${PAUSE_LOCK})`,
  );
  const waiters = async () =>
    (await other.query("select 1 from pg_locks where not granted and pid <> pg_backend_pid()")).rowCount;
  const recovering = store.recover(NOW + 1, 3, NOW + 1);
  await expect.poll(waiters).toBe(1);
  let seen: number | undefined;
  const resumed = store.heartbeat("worker_1", NOW + 2).then(async () => (seen = await store.epoch(task.id)));
  await expect.poll(async () => seen !== undefined || (await waiters()) === 2).toBe(true);
  await other.query(`select pg_advisory_unlock(${PAUSE_LOCK})`);
  expect(await recovering).toMatchObject({ recovered: 1 });
  expect(await resumed).toBe(task.epoch + 1);
});
