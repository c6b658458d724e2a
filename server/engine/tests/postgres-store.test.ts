import { expect, test } from "vitest";
import type { Db } from "../../storage/db.ts";
import { deleteFirst } from "../../storage/delete-first.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { usePostgres, usePostgresAndClient } from "../../../test/support/postgres.ts";
import { engineStoreContract } from "../testing/store-contract.ts";
import { accepted, NOW, step } from "../testing/store-samples.ts";

engineStoreContract("PostgreSQL", () => usePostgres());

test("counting thousands of due tasks uses the index and never scans the table", async () => {
  const db = await usePostgres();
  await insertTasks(db, { waiting: 3000, due: 3000 });
  const plans: string[] = [];
  const store = createEngineStore(explaining(db, plans));
  expect(await store.pollDue(50, NOW)).toEqual({ due: [{ ownerId: "user_1", count: 50 }], next: null });
  expect(plans.join("\n")).toContain("using task_due");
  await store.furtherDueOwners("", NOW);
  expect(plans.join("\n")).toContain("using task_due_by_owner");
  expect(plans.join("\n")).not.toContain("Seq Scan");
});

test("polls and claims are planned once for a connection, without a scan of the table", async () => {
  const db = await usePostgres();
  await insertTasks(db, { waiting: 20_000, due: 60 });
  const store = createEngineStore(db);
  for (let round = 0; round < 3; round += 1) {
    await store.pollDue(50, NOW);
    expect(await store.claimDue("worker_1", [{ ownerId: "user_1", count: 20 }], NOW)).toHaveLength(20);
  }
  const preparedLike = (text: string): string =>
    `select name, generic_plans, custom_plans from pg_prepared_statements
     where statement like '%${text}%' and statement not like '%pg_prepared_statements%' order by name`;
  const planned = { generic_plans: 3, custom_plans: 0 };
  // One call after the other uses the same connection.
  const polls = await db.query(preparedLike("min(run_at)"));
  expect(polls).toMatchObject([planned]);
  const [claims] = await db.batch([{ sql: preparedLike("due as materialized") }], { repeatable: true });
  expect(claims).toMatchObject([planned, planned]);
  const plans = [
    await db.query(`explain execute ${polls[0]!["name"] as string}('task', ${NOW}, 50)`, undefined, {
      genericPlan: true,
    }),
    ...(await db.batch(
      claims!.map(({ name }) => ({
        sql: `explain execute ${name as string}('task', 'user_1', ${NOW}, 'worker_1')`,
      })),
      { repeatable: true, genericPlan: true },
    )),
  ].map((rows) => rows.map((row) => String(row["QUERY PLAN"])).join("\n"));
  for (const plan of plans) {
    expect(plan).toContain("Index Scan using task_due");
    expect(plan).not.toMatch(/Seq Scan|Bitmap/);
  }
});

test("statements with a generic plan share no transaction with others", async () => {
  const db = await usePostgres();
  const mode = "select current_setting('plan_cache_mode') as mode";
  const all = await Promise.all([
    db.query(mode, undefined, { genericPlan: true }),
    db.query(mode),
    db.query(mode, undefined, { genericPlan: true }),
    db.batch([{ sql: mode }], { repeatable: true, genericPlan: true }).then(([rows]) => rows!),
    db.batch([{ sql: mode }], { repeatable: true }).then(([rows]) => rows!),
  ]);
  const [generic, usual] = [[{ mode: "force_generic_plan" }], [{ mode: "auto" }]];
  expect(all).toEqual([generic, usual, generic, generic, usual]);
});

test("the entries of fifty tasks are read without a scan of the journal", async () => {
  const db = await usePostgres();
  const ids = Array.from({ length: 50 }, (_, index) => `task_${index * 100}`);
  await db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
            select 'task_' || n, 'user_1', 'wf_1', 1, 'running', 'manual', '{}', 0, 1, 0, 0, 0, 0 from generate_series(0, 5000) as n`,
    },
    {
      sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, output, at)
            select 'task_' || n, s, 1, 'step', 'step_' || s, 'http', 'completed', 1, 1, '{"body":"an output of some length"}', 0
            from generate_series(0, 5000) as n, generate_series(1, 4) as s`,
    },
    { sql: "analyze" },
  ]);
  const plans: string[] = [];
  const store = createEngineStore(explaining(db, plans));
  expect(await Promise.all(ids.map((id) => store.ownEntries(id)))).toHaveLength(50);
  expect(plans.join("\n")).toContain("journal_pkey");
  expect(plans.join("\n")).not.toContain("Seq Scan");
});

test("entries of many runs are stored without a scan of the tasks, also before the first analyze", async () => {
  const db = await usePostgres();
  const plans: string[] = [];
  const store = createEngineStore(explaining(db, plans));
  const tasks = await Promise.all(Array.from({ length: 16 }, () => accepted(store)));
  plans.length = 0;
  await Promise.all(tasks.map((task) => store.record({ task, entries: [step(1, "a")] })));
  expect(plans.join("\n")).toMatch(/Nested Loop[^]*Values Scan[^]*Index Scan using task_pkey/);
  expect(plans.join("\n")).not.toContain("Seq Scan");
  expect(plans.filter((line) => line.includes("Insert on journal"))).toHaveLength(1);
});

test("the first rows of a task are deleted without reading their list for each row", async () => {
  const db = await usePostgres();
  const insert = (taskId: string, rows: number) =>
    db.query(
      `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, output, at)
       select $taskId, n, 1, 'step', 'a', 'http', 'completed', 1, 1, '1', 0 from generate_series(1, cast($rows as int)) as n returning seq`,
      { taskId, rows },
    );
  for (const taskId of ["task_1", "task_2", "task_3"]) await insert(taskId, 1);
  // The statistics say that a task has one row.
  await db.query("analyze journal");
  await insert("task_4", 50);
  const plans: string[] = [];
  const rows = { table: "journal", group: "task_id", key: "seq", value: "task_4" };
  expect(await deleteFirst(explaining(db, plans), rows, 20)).toBe(20);
  expect(await db.query("select min(seq) as first from journal where task_id = 'task_4'")).toMatchObject([
    { first: 21 },
  ]);
  expect(await db.query("select count(*) as n from journal where task_id <> 'task_4'")).toMatchObject([
    { n: 3 },
  ]);
  expect(plans.join("\n")).toContain("InitPlan");
  expect(plans.join("\n")).not.toContain("Nested Loop");
});

/** The database, which also notes the plan of each statement. A copy has none. */
function explaining(db: Db, plans: string[]): Db {
  return {
    ...db,
    async batch(statements, options) {
      for (const { sql, params, copy } of statements)
        if (copy === undefined)
          for (const row of await db.query(`explain ${sql}`, params)) plans.push(String(row["QUERY PLAN"]));
      return db.batch(statements, options);
    },
    async query(sql, params) {
      for (const row of await db.query(`explain ${sql}`, params)) plans.push(String(row["QUERY PLAN"]));
      return db.query(sql, params);
    },
  };
}

test("a heartbeat does not wait for busy connections", async () => {
  const db = await usePostgres();
  const sleep = { sql: "select pg_sleep(60)" };
  const busy = Promise.allSettled(Array.from({ length: 20 }, () => db.batch([sleep], { alone: true })));
  const asleep = `from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'
    and state = 'active'`;
  const count = async () => Number((await db.query(`select count(*) as n ${asleep}`))[0]!["n"]);
  await expect.poll(count).toBe(db.writers);
  await createEngineStore(db).heartbeat("worker_1", NOW);
  expect(await db.query("select id from worker")).toEqual([{ id: "worker_1" }]);
  const cancelling = setInterval(() => void db.query(`select pg_cancel_backend(pid) ${asleep}`), 20);
  await busy;
  clearInterval(cancelling);
});

test("a cancel waits for the insert of a child and cancels it, too", async () => {
  const { db, client: storing } = await usePostgresAndClient();
  const store = createEngineStore(db);
  const parent = await accepted(store);
  await storing.query("begin");
  await storing.query("select id from task where id = $1 for no key update", [parent.id]);
  await storing.query(
    `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, parent_task_id, parent_step,
       depth, epoch, wake, lives, lives_seq, created_at, worker_id)
     values ('task_child', 'user_1', 'wf_1', 1, 'running', 'workflow', '{}', $1, 'call', 1, 1, 0, 0, 0, 0, 'worker_1')`,
    [parent.id],
  );
  const cancelling = store.cancel(parent.id, NOW);
  const waiting = "select 1 from pg_locks where not granted and pid <> pg_backend_pid()";
  await expect.poll(async () => (await storing.query(waiting)).rowCount).toBeGreaterThan(0);
  await storing.query("commit");
  expect((await cancelling).map(({ taskId }) => taskId).sort()).toEqual([parent.id, "task_child"].sort());
  expect(await store.task("task_child")).toMatchObject({ status: "cancelled" });
});

test("records of several runs wait for a claim in flight, which makes one of them lose its task", async () => {
  const { db, client: claiming } = await usePostgresAndClient();
  const store = createEngineStore(db);
  const [first, lost, last] = [await accepted(store), await accepted(store), await accepted(store)];
  await claiming.query("begin");
  await claiming.query("update task set epoch = epoch + 1, worker_id = 'worker_2' where id = $1", [lost.id]);
  const recording = Promise.all(
    [first, lost, last].map((task) =>
      store.record({
        task,
        entries: [step(1, "a")],
        openApproval: { path: "b", message: "", context: null, dueAt: null },
      }),
    ),
  );
  const waiting = "select 1 from pg_locks where not granted and pid <> pg_backend_pid()";
  await expect.poll(async () => (await claiming.query(waiting)).rowCount).toBeGreaterThan(0);
  await claiming.query("commit");
  expect(await recording).toEqual([true, false, true]);
  expect(await store.entries(lost.id, 0, 9)).toEqual([]);
  expect(await store.entries(last.id, 0, 9)).toHaveLength(1);
  // An approval without its entry could be decided before the next process waits for it.
  expect(await store.approval(lost.id, "b")).toBeUndefined();
  expect(await store.approval(last.id, "b")).toBeDefined();
});

/** Tasks of one owner, of which the planner knows how many there are. */
async function insertTasks(db: Db, { waiting, due }: { waiting: number; due: number }): Promise<void> {
  await db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, run_at)
            select 'task_' || n, 'user_1', 'wf_1', 1, 'queued', 'manual', '{}', 0, 1, 0, 0, 0, 0, case when n > ${waiting} then ${NOW} end
            from generate_series(1, ${waiting + due}) as n`,
    },
    { sql: "analyze task" },
  ]);
}
