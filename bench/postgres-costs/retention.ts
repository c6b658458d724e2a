import { parseArgs } from "node:util";
import { Client } from "pg";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { cpuMs } from "../process-cost.ts";
import { processTreeOf } from "../postgres.ts";

const ENTRIES_PER_TASK = 4;
/** As the retention deletes them. */
const TASKS_PER_DELETE = 200;
const PARTITIONS = 10;

const COLUMNS = `task_id text collate "C" not null, seq bigint not null, epoch bigint not null, kind text not null, path text not null,
  type text not null, status text not null, attempt bigint not null, final bigint not null, input text, output text, output_ref text,
  error text, extra text, due bigint, started_at bigint, at bigint not null, primary key (task_id, seq)`;
const idOf = (n: string): string => `'task_01JCZ6W4XK' || lpad((${n})::text, 16, '0')`;

interface Cost {
  seconds: number;
  cpuSeconds: number;
  walMb: number;
}

/**
 * `node scripts/run.mjs bench/postgres-costs/retention.ts [--rows 1000000]`: a journal that is one table, and one that is
 * partitioned by range of task ids, which begin with their time. Stores all rows, reads single tasks, then removes the
 * oldest half: by deletes of 200 tasks, and by dropping partitions (docs/decisions/030).
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
  const tasks = Number(values.rows) / ENTRIES_PER_TASK;
  const server = await startPostgres({
    durable: true,
    settings: { shared_buffers: "256MB", full_page_writes: "off", autovacuum: "off", max_wal_size: "4GB" },
  });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const walBytes = async (): Promise<number> =>
    Number((await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as b")).rows[0].b);
  const measured = async (work: () => Promise<unknown>): Promise<Cost> => {
    const before = { at: performance.now(), cpu: cpuMs(processTreeOf(server.pid)), wal: await walBytes() };
    await work();
    return {
      seconds: (performance.now() - before.at) / 1000,
      cpuSeconds: (cpuMs(processTreeOf(server.pid)) - before.cpu) / 1000,
      walMb: ((await walBytes()) - before.wal) / 2 ** 20,
    };
  };
  const report = (what: string, { seconds, cpuSeconds, walMb }: Cost): void =>
    console.log(`| ${what} | ${seconds.toFixed(2)} | ${cpuSeconds.toFixed(2)} | ${walMb.toFixed(1)} |`);

  /** As the engine writes: four entries of a task in one statement, many tasks in a transaction. */
  const fill = (table: string) => async (): Promise<void> => {
    for (let from = 1; from <= tasks; from += 5000)
      await client.query(`do $$ begin for n in ${from}..${Math.min(tasks, from + 4999)} loop
        insert into ${table} (task_id, seq, epoch, kind, path, type, status, attempt, final, input, output, at)
        select ${idOf("n")}, s, 1, 'step', 'step_' || s, 'http', 'completed', 1, 1, repeat('i', 100), repeat('o', 200), 1760000000000 + n
        from generate_series(1, ${ENTRIES_PER_TASK}) as s on conflict (task_id, seq) do nothing;
      end loop; end $$`);
  };
  const read = (table: string) => async (): Promise<void> => {
    for (let n = 0; n < 20_000; n++) {
      const id = `task_01JCZ6W4XK${String(1 + ((n * 7919) % tasks)).padStart(16, "0")}`;
      await client.query({
        name: `read_${table}`,
        text: `select * from ${table} where task_id = $1`,
        values: [id],
      });
    }
  };
  try {
    await client.query(`create table plain (${COLUMNS})`);
    await client.query(`create table parted (${COLUMNS}) partition by range (task_id)`);
    for (let part = 0; part < PARTITIONS; part++) {
      const bound = (index: number): string =>
        `task_01JCZ6W4XK${String((tasks / PARTITIONS) * index + 1).padStart(16, "0")}`;
      await client.query(
        `create table parted_${part} partition of parted for values from ('${bound(part)}') to ('${bound(part + 1)}')`,
      );
    }
    console.log(
      `${tasks} tasks, ${values.rows} entries\n\n| What | seconds | server CPU s | WAL MB |\n|---|---|---|---|`,
    );
    report("store, one table", await measured(fill("plain")));
    report(`store, ${PARTITIONS} partitions`, await measured(fill("parted")));
    await client.query("vacuum analyze plain");
    await client.query("analyze parted");
    report("20,000 reads of one task, one table", await measured(read("plain")));
    report(`20,000 reads of one task, ${PARTITIONS} partitions`, await measured(read("parted")));
    const remove = async (): Promise<void> => {
      for (let from = 1; from <= tasks / 2; from += TASKS_PER_DELETE)
        await client.query(
          `delete from plain where task_id in (select ${idOf("n")} from generate_series(${from}, ${from + TASKS_PER_DELETE - 1}) as n)`,
        );
    };
    report("remove half: deletes of 200 tasks", await measured(remove));
    report("and the vacuum after it", await measured(() => client.query("vacuum plain")));
    report(
      "remove half: drop 5 partitions",
      await measured(async () => {
        for (let part = 0; part < PARTITIONS / 2; part++) await client.query(`drop table parted_${part}`);
      }),
    );
    const size = async (names: string): Promise<string> =>
      String(
        (
          await client.query(
            `select pg_size_pretty(sum(pg_total_relation_size(oid))) as s from pg_class where relname like '${names}' and relkind = 'r'`,
          )
        ).rows[0].s,
      );
    console.log(`\nLeft on disk: ${await size("plain")} and ${await size("parted%")}`);
  } finally {
    await client.end();
    await server.close();
  }
}
