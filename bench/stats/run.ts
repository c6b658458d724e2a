import { parseArgs } from "node:util";
import { systemClock } from "../../server/lib/clock.ts";
import { createId } from "../../server/lib/ids.ts";
import { createStats } from "../../server/stats/stats.ts";
import { createStatsStore } from "../../server/stats/stats.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { withEmptyDatabase } from "./empty-database.ts";

const DAY_MS = 24 * 3600 * 1000;
const TASKS_PER_STATEMENT = 5000;
const WORKFLOWS = 50;
const CALLS = 20;
export const OWNER = "user_bench";

/**
 * `npm run bench:stats [-- --tasks 1000000 --days 30 --postgres]`: writes ended tasks of one account and prints how long
 * each statistic takes, and the longest time for which it kept the event loop busy.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tasks: { type: "string", default: "1000000" },
      days: { type: "string", default: "30" },
      postgres: { type: "boolean", default: false },
    },
  });
  await withEmptyDatabase(values, async (db) => {
    await seed(db, Number(values.tasks), Number(values.days));
    if (values.postgres) await db.batch([{ sql: "analyze task" }]);
    await measure(db);
  });
}

export async function seed(db: Db, tasks: number, days: number, workflows = WORKFLOWS): Promise<void> {
  await db.batch([
    {
      sql: "insert into workspace (id, name, kind, created_at) values ($id, '', 'personal', 0)",
      params: { id: OWNER },
    },
  ]);
  const workflowIds = Array.from({ length: workflows }, () => createId("wf"));
  for (const id of workflowIds)
    await db.batch([
      {
        sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
              values ($id, $owner, 'Bench', '', 1, '{}', 0, 1, 1, 0, 0)`,
        params: { id, owner: OWNER },
      },
    ]);
  const firstAt = Date.now() - days * DAY_MS;
  for (let done = 0; done < tasks; done += TASKS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(TASKS_PER_STATEMENT, tasks - done) }, (_, index) =>
      task(workflowIds, done + index, firstAt + ((done + index) / tasks) * days * DAY_MS),
    );
    await db.batch([
      {
        sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, result, error, depth, epoch, wake, lives, lives_seq,
                created_at, started_at, completed_at)
              select ${db.dialect === "sqlite" ? COLUMNS("json_extract(value, '$[%]')") : COLUMNS("(value::json->>%)")}
              from json_each(cast($rows as text))`,
        params: { owner: OWNER, rows: JSON.stringify(rows) },
      },
    ]);
  }
}

function COLUMNS(read: string): string {
  const field = (index: number): string => read.replace("%", String(index));
  return `${field(0)}, $owner, ${field(1)}, 1, ${field(2)}, 'api', '{"name":"Ada"}', '{"output":"Ada","outputs":{"s2":"Ada"}}', ${field(3)},
    0, 1, 0, 0, 0, cast(${field(4)} as bigint), cast(${field(4)} as bigint), cast(${field(5)} as bigint)`;
}

function task(workflowIds: readonly string[], index: number, time: number): unknown[] {
  const at = Math.round(time);
  const failed = index % 33 === 0;
  const error = {
    code: "http_error",
    message: `GET https://example.com/orders/${index} failed with ${500 + (index % 4)}`,
    stepId: "fetch",
  };
  // From 5 ms to a few minutes: as skewed as durations of workflows are.
  const duration = Math.round(5 * 10 ** (4.5 * Math.random() ** 2));
  return [
    createId("task", at),
    workflowIds[index % workflowIds.length],
    failed ? "failed" : "completed",
    failed ? JSON.stringify(error) : null,
    at,
    at + duration,
  ];
}

async function measure(db: Db): Promise<void> {
  const stats = createStats({ store: createStatsStore(db), clock: systemClock });
  const [row] = await db.query<{ id: string }>("select id from workflow limit 1");
  console.log(
    `| ${db.dialect} | first ms | p50 ms | p95 ms | CPU ms | longest turn ms |\n|---|---|---|---|---|---|`,
  );
  for (const range of ["24h", "7d", "30d"] as const) {
    await time(`stats ${range}`, () => stats.read(OWNER, { range, workflowId: undefined, utcOffset: 0 }));
    await time(`stats ${range}, one workflow`, () =>
      stats.read(OWNER, { range, workflowId: row?.id, utcOffset: 0 }),
    );
    await time(`failures ${range}`, () => stats.listFailures(OWNER, { range }));
  }
  await time("last 20 runs of 50 workflows", () => stats.listRecentRuns(OWNER));
}

export async function time(name: string, call: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  let longestTurn = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longestTurn = Math.max(longestTurn, performance.now() - last);
    last = performance.now();
  }, 0);
  const beganFirst = performance.now();
  await call();
  const first = performance.now() - beganFirst;
  const cpuBefore = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpu = ((user + system) / 1000 / CALLS).toFixed(1);
  times.sort((a, b) => a - b);
  const at = (share: number): string => times[Math.floor(CALLS * share)]!.toFixed(1);
  console.log(
    `| ${name} | ${first.toFixed(1)} | ${at(0.5)} | ${at(0.95)} | ${cpu} | ${longestTurn.toFixed(1)} |`,
  );
}
