import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** A session reports its counts at most once a second. */
const REPORTED_AFTER_MS = 2500;
const SHOWN_STATEMENTS = 15;

export interface Counts {
  totals: Record<(typeof TOTALS)[number], number>;
  /** Calls and WAL bytes by statement. */
  statements: Map<string, { calls: number; walBytes: number; ms: number }>;
}

const TOTALS = [
  "transactions",
  "statements",
  "notifications",
  "taskInserts",
  "taskUpdates",
  "taskHotUpdates",
  "journalInserts",
  "walBytes",
] as const;

const READ_TOTALS = `
  select (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
    (select coalesce(sum(calls), 0) from pg_stat_statements where query not like '%pg_stat%') as statements,
    (select coalesce(sum(calls), 0) from pg_stat_statements where query like '%pg_notify%') as notifications,
    (select n_tup_ins from pg_stat_user_tables where relname = 'task') as "taskInserts",
    (select n_tup_upd from pg_stat_user_tables where relname = 'task') as "taskUpdates",
    (select n_tup_hot_upd from pg_stat_user_tables where relname = 'task') as "taskHotUpdates",
    (select n_tup_ins from pg_stat_user_tables where relname = 'journal') as "journalInserts",
    (select wal_bytes from pg_stat_wal) as "walBytes"`;

/** The counters of a PostgreSQL server that has loaded `pg_stat_statements`. */
export async function openCounters(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  return {
    async read(): Promise<Counts> {
      await sleep(REPORTED_AFTER_MS);
      const { rows } = await client.query<Record<string, string>>(READ_TOTALS);
      const { rows: statements } = await client.query<Record<string, string>>(
        "select query, sum(calls) as calls, sum(wal_bytes) as wal_bytes, sum(total_exec_time) as ms from pg_stat_statements group by query",
      );
      return {
        totals: Object.fromEntries(TOTALS.map((name) => [name, Number(rows[0]![name])])) as Counts["totals"],
        statements: new Map(
          statements.map(({ query, calls, wal_bytes, ms }) => [
            query!.replaceAll(/\s+/g, " ").trim(),
            { calls: Number(calls), walBytes: Number(wal_bytes), ms: Number(ms) },
          ]),
        ),
      };
    },
    /** The statements of a call that take the most time. */
    difference(before: Counts, after: Counts, calls: number): string[] {
      return [...after.statements]
        .map(([text, { calls: count, walBytes, ms }]) => {
          const earlier = before.statements.get(text) ?? { calls: 0, walBytes: 0, ms: 0 };
          return {
            text,
            calls: (count - earlier.calls) / calls,
            walBytes: (walBytes - earlier.walBytes) / calls,
            us: ((ms - earlier.ms) / calls) * 1000,
          };
        })
        .toSorted((a, b) => b.us - a.us)
        .slice(0, SHOWN_STATEMENTS)
        .map(
          (each) =>
            `    ${each.calls.toFixed(3)} × ${each.us.toFixed(0)} µs, ${each.walBytes.toFixed(0)} B: ${each.text.slice(0, 110)}`,
        );
    },
    close: () => client.end(),
  };
}
