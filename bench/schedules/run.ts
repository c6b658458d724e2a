import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Db } from "../../server/storage/db.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { type ChildService, startChild } from "../../test/chaos/child-service.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { chain } from "../graphs.ts";
import { cpuMs } from "../process-cost.ts";
import { signIn } from "../service-client.ts";

const KEYS = {
  JWT_SECRET: "shared by all processes of a bench",
  ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
};
const MINUTE_MS = 60_000;
const PREPARE_MS = 25_000;

/**
 * `npm run bench:schedules [-- --schedules 10000 --postgres --processes 2]`: creates schedules that are all due in the
 * same minute, and prints when the first and the last task started and ended. Exits with 1 if one did not start in it.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: "string", default: "10000" },
      postgres: { type: "boolean", default: false },
      processes: { type: "string", default: "1" },
    },
  });
  const count = Number(values.schedules);
  const dataDir = mkdtempSync(join(tmpdir(), "baton-schedules-"));
  const server = values.postgres
    ? await startPostgres({ durable: true, settings: { shared_buffers: "256MB" } })
    : undefined;
  const settings = {
    ...KEYS,
    DATA_DIR: dataDir,
    ...(server === undefined ? {} : { DATABASE_URL: server.url }),
  };
  const openDb = async (): Promise<Db> =>
    server === undefined ? openSqlite({ folder: dataDir }) : await openPostgres({ url: server.url });
  const processes: ChildService[] = [];
  try {
    const dueAt = Math.ceil((Date.now() + PREPARE_MS) / MINUTE_MS) * MINUTE_MS;
    const first = await startChild(settings);
    await createSchedule(first.address, dueAt).finally(() => first.end("SIGTERM"));
    await copySchedule(await openDb(), count);
    for (let n = 0; n < (server === undefined ? 1 : Number(values.processes)); n += 1)
      processes.push(await startChild(settings));
    if (Date.now() > dueAt) throw new Error("The preparation took longer than planned. Try again.");
    await sleep(dueAt - Date.now());
    const cpuBefore = cpuMs(processes.map(({ pid }) => pid));
    await sleep(MINUTE_MS);
    const cpu = cpuMs(processes.map(({ pid }) => pid)) - cpuBefore;
    for (const each of processes) await each.end("SIGTERM");
    const report = await readTasks(await openDb(), dueAt);
    console.log(
      JSON.stringify({ schedules: count, processes: processes.length, ...report, cpuMs: cpu }, null, 2),
    );
    if (report.startedInTheMinute !== count || report.tasks !== count) process.exitCode = 1;
  } finally {
    for (const each of processes) await each.end("SIGKILL");
    await server?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function createSchedule(address: string, dueAt: number): Promise<void> {
  const client = await signIn(address);
  const workflowId = await client.publish("scheduled", chain(3), false);
  const due = new Date(dueAt);
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  // With `skip`, a run that is judged to be late does not start at all.
  await client.post("/api/schedules", {
    workflowId,
    cron,
    timezone: "Etc/UTC",
    misfire: "skip",
    overlap: "skip",
  });
}

async function copySchedule(db: Db, count: number): Promise<void> {
  await db.batch([
    {
      sql: `insert into schedule (id, owner_id, workflow_id, name, cron, timezone, input, active, misfire, overlap, next_run_at, created_at, updated_at)
            with recursive copies (n) as (select 2 union all select n + 1 from copies where n < cast($count as bigint))
            select s.id || '_' || n, s.owner_id, s.workflow_id, s.name, s.cron, s.timezone, s.input, s.active, s.misfire, s.overlap, s.next_run_at,
              s.created_at, s.updated_at
            from schedule as s, copies`,
      params: { count },
    },
  ]);
  await db.close();
}

async function readTasks(db: Db, dueAt: number) {
  const [row] = await db.query(
    `select count(*) as tasks, min(created_at) as first, max(created_at) as last, max(completed_at) as ended,
       sum(case when created_at < $end then 1 else 0 end) as in_time,
       sum(case when status = 'completed' then 1 else 0 end) as completed
     from task where trigger = 'schedule'`,
    { end: dueAt + MINUTE_MS },
  );
  await db.close();
  const seconds = (field: string): number => (Number(row?.[field]) - dueAt) / 1000;
  return {
    tasks: Number(row?.["tasks"]),
    startedInTheMinute: Number(row?.["in_time"]),
    completed: Number(row?.["completed"]),
    firstStartedAfterSeconds: seconds("first"),
    lastStartedAfterSeconds: seconds("last"),
    lastEndedAfterSeconds: seconds("ended"),
  };
}
