import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPostgres, openTestDb, type TestDb } from "../../test/support/open-db.ts";
import type { TaskFilter } from "../../contract/task-list.ts";
import type { Db } from "../storage/db.ts";
import { firstIdAt } from "../lib/ids.ts";
import { createTaskListStore } from "./task-list.sql.ts";

type Params = Parameters<Db["query"]>[1];

const MINUTE = 60_000;
const START = Date.parse("2030-01-01T00:00:00Z");
const TASKS = 3000;
/** Numbers of the same length sort as text. */
const FIRST = 1_000_000_000;

let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
  await seed(TASKS);
});
afterAll(() => opened.close());

/**
 * One task a minute, in SQL: a million take seconds. Every 10th failed, every 100th waits, every 1000th came by webhook;
 * every 7th is of workflow b. A failed one took 30 s, any other 1 s.
 */
async function seed(count: number): Promise<void> {
  await opened.db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, error, depth, epoch, wake, lives, lives_seq,
              created_at, started_at, completed_at, lane)
            with recursive n(i) as (select 0 union all select i + 1 from n where i < $last)
            select 'task_' || cast(${FIRST} + i as text), 'ada', case when i % 7 = 0 then 'wf_b' else 'wf_a' end, 1 + i % 2,
              case when i % 100 = 5 then 'waiting' when i % 10 = 0 then 'failed' else 'completed' end,
              case when i % 1000 = 0 then 'webhook' else 'manual' end, '{}',
              case when i % 10 = 0 then '{"code":"http_error","message":"Rate \\"limit\\" of item ' || cast(i % 3 as text) || '"}' end,
              0, 1, 0, 0, 0, 0, 0, case when i % 10 = 0 then 30000 else 1000 end, 'task' from n`,
      params: { last: count - 1 },
    },
    {
      sql: `insert into workspace (id, name, kind, created_at) values ('ada', '', 'personal', 0)`,
      params: {},
    },
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync,
              created_at, updated_at)
            values ('wf_b', 'ada', 'Send 100% of Invoices', '', 1, '{}', 0, 1, 1, 0, 0)`,
      params: {},
    },
  ]);
}

async function all(filter: TaskFilter, limit = 200, scanned = 500): Promise<number[]> {
  const store = createTaskListStore(opened.db, scanned);
  const numbers: number[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 100; pages += 1) {
    const page = await store.list("ada", { ...filter, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    numbers.push(...page.items.map(({ id }) => Number(id.slice(5)) - FIRST));
    if (page.nextCursor === null) return numbers;
    cursor = page.nextCursor;
  }
  throw new Error("the list does not end");
}

const expected = (matches: (i: number) => boolean): number[] =>
  Array.from({ length: TASKS }, (_, i) => TASKS - 1 - i).filter(matches);
const isWaiting = (i: number): boolean => i % 100 === 5;
const isFailed = (i: number): boolean => i % 10 === 0;

async function planOf(sql: string, params: Params): Promise<string> {
  if (!isPostgres)
    return (await opened.db.query(`explain query plan ${sql}`, params))
      .map((row) => row["detail"])
      .join("\n");
  // PostgreSQL would read a table this small as a whole.
  const [, , rows = []] = await opened.db.batch([
    { sql: "set local enable_seqscan = off", params: {} },
    { sql: "set local enable_bitmapscan = off", params: {} },
    { sql: `explain ${sql}`, params: params ?? {} },
  ]);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

describe("the list of tasks", () => {
  test("a filter finds all tasks over several pages, also when few of them match", async () => {
    expect(await all({ status: ["failed"] })).toEqual(expected(isFailed));
    expect(await all({ trigger: "webhook" })).toEqual([2000, 1000, 0]);
    expect(await all({ workflowId: "wf_b" })).toEqual(expected((i) => i % 7 === 0));
    expect(await all({ workflowId: "wf_b", version: 2 })).toEqual(
      expected((i) => i % 7 === 0 && i % 2 === 1),
    );
    expect(await all({ minMs: 20_000 })).toEqual(expected(isFailed));
    expect(await all({ maxMs: 20_000, trigger: "webhook" })).toEqual([]);
  });

  test("tests of single steps are left out on request", async () => {
    const { db } = opened;
    const setTrigger = (trigger: string) =>
      db.batch([{ sql: "update task set trigger = $trigger where id like '%9'", params: { trigger } }]);
    await setTrigger("partial");
    expect(await all({ stepTests: "false" })).toEqual(expected((i) => i % 10 !== 9));
    expect(await all({ stepTests: "true" })).toHaveLength(TASKS);
    const { counts } = await createTaskListStore(db).count("ada", { stepTests: "false", workflowId: "wf_b" });
    expect(counts.completed).toBe(
      expected((i) => i % 7 === 0 && ![0, 9].includes(i % 10) && !isWaiting(i)).length,
    );
    // Several steps were chosen, as in a draft whose other steps are incomplete.
    const choose = (stepIds: string[] | null, output = "c") =>
      db.batch([
        {
          sql: "update task set options = $options where id like '%9'",
          params: {
            options: stepIds === null ? null : JSON.stringify({ stepIds, outputs: { a: ["b", output] } }),
          },
        },
      ]);
    await choose(["fetch", "total"]);
    expect(await all({ stepTests: "false" })).toHaveLength(TASKS);
    const others = expected((i) => i % 10 !== 9);
    await choose(["fetch", "total"], "c".repeat(20_000));
    expect(await all({ stepTests: "false" })).toEqual(others);
    await choose(["fetch"]);
    expect(await all({ stepTests: "false" })).toEqual(others);
    await choose(null);
    await setTrigger("manual");
  });

  test("several statuses are merged in order, with a filter that is checked row by row, too", async () => {
    expect(await all({ status: ["failed", "waiting"] }, 50)).toEqual(
      expected((i) => isFailed(i) || isWaiting(i)),
    );
    const slow = await all({ status: ["failed", "waiting"], workflowId: "wf_b" }, 3, 20);
    expect(slow).toEqual(expected((i) => (isFailed(i) || isWaiting(i)) && i % 7 === 0));
  });

  test("text is found in the id, the name of the workflow and the error; wildcards are plain text", async () => {
    expect(await all({ q: "002345" })).toEqual([2345]);
    expect(await all({ q: "#002345" })).toEqual([2345]);
    expect(await all({ q: "100% of inv" })).toEqual(expected((i) => i % 7 === 0));
    expect(await all({ q: "of item 2" })).toEqual(expected((i) => isFailed(i) && i % 3 === 2));
    expect(await all({ error: 'rate "limit" of item 1', status: ["failed"] })).toEqual(
      expected((i) => isFailed(i) && i % 3 === 1),
    );
    expect(await all({ error: "rate_limit" })).toEqual([]);
  });

  test("every list and count reads an index", async () => {
    const asked: { sql: string; params: Params }[] = [];
    const recording: Db = {
      ...opened.db,
      query: (sql, params) => {
        asked.push({ sql, params });
        return opened.db.query(sql, params);
      },
    };
    const store = createTaskListStore(recording);
    for (const filter of [
      {},
      { status: ["failed", "waiting"] as const },
      { workflowId: "wf_a" },
      { q: "x", from: "2030-01-01T00:00:00Z", to: "2030-01-02T00:00:00Z" },
      { status: ["completed"] as const, trigger: "api" as const },
      { stepTests: "false" as const },
    ]) {
      await store.list("ada", { ...filter, status: filter.status && [...filter.status], limit: 50 });
      await store.count("ada", { ...filter, status: undefined });
    }
    expect(asked.length).toBeGreaterThan(40);
    for (const { sql, params } of asked) {
      const plan = await planOf(sql, params);
      expect(plan, sql).toMatch(/INDEX task_|Index (Only )?Scan.* using task_/);
      expect(plan, sql).not.toMatch(/SCAN task\b|Seq Scan on task\b/);
    }
  });

  test("a time is a range of ids", () => {
    expect(firstIdAt("task", START) < firstIdAt("task", START + MINUTE)).toBe(true);
  });

  test("counts ignore the status of the filter and name what was not counted to the end", async () => {
    const store = createTaskListStore(opened.db, 100);
    const { counts, atLeast } = await store.count("ada", { status: ["failed"] });
    expect(counts).toEqual({ waiting: 30, failed: 300, completed: 1000 });
    expect(atLeast).toEqual(["completed"]);
    expect((await store.count("ada", { trigger: "webhook" })).atLeast).toEqual(["completed", "failed"]);
    expect(await store.count("bob", {})).toEqual({ counts: {}, atLeast: [] });
  });
});
