import { onTestFinished } from "vitest";
import type { Db, Statement } from "../../server/storage/db.ts";
import { openPostgres, type PostgresOptions } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";

export const INSERT = "insert into item (id, n) values ($1, $2) returning id";
export const COPY = "copy item (id, n) from stdin (format binary)";
/** Rows that are copied, or inserted when one of them exists. */
export const copy = (rows: readonly (readonly [id: string, n: number | null])[]): Statement => ({
  sql: COPY,
  copy: {
    columns: ["text", "bigint"],
    values: rows.flat(),
    otherwise: () =>
      rows.map(([id, n]) => ({
        sql: "insert into item (id, n) values ($1, $2) on conflict (id) do nothing",
        params: [id, n],
      })),
  },
});
export const insert = (id: string, n = 0): Statement => ({ sql: INSERT, params: [id, n] });

/** Closed when the running test ends. */
export async function open(url: string, options: Partial<PostgresOptions> = {}): Promise<Db> {
  const db = await openPostgres({ url, ...options });
  onTestFinished(() => db.close());
  return db;
}

/** A database with the tables `item` and `counter`. */
export async function openWithItems(
  options: Partial<PostgresOptions> = {},
): Promise<{ db: Db; url: string }> {
  const url = await useDatabase();
  await asAdmin(
    url,
    "create table item (id text primary key, n bigint)",
    "create table counter (n bigint); insert into counter values (0)",
  );
  return { db: await open(url, options), url };
}
