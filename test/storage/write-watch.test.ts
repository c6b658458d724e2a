import { expect, onTestFinished, test } from "vitest";
import type { Db } from "../../server/storage/db.ts";
import { watchWrites } from "../../server/storage/write-watch.ts";
import { usePostgres } from "../support/postgres.ts";

/** The error of PostgreSQL when a file cannot grow. */
const FULL = `create function full_disk() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`;
const fill = (table: string): string =>
  `create trigger full_disk before insert on ${table} for each row execute function full_disk()`;
const freeSpace = { sql: "drop function if exists full_disk cascade" };
const refused = { code: "storage_unavailable" };

async function useServer(...fullTables: string[]): Promise<Db> {
  const server = await usePostgres();
  onTestFinished(async () => void (await server.batch([freeSpace])));
  await server.batch([FULL, ...fullTables.map(fill)].map((sql) => ({ sql })));
  return server;
}

test("after a failed write the database is not ready until a probe write succeeds", async () => {
  const server = await useServer("worker", "key_check");
  const { db, probe } = watchWrites(server);
  // No write has failed yet, so the probe only reads.
  await probe();
  const beat = { sql: "insert into worker (id, started_at, heartbeat_at) values ('w', 1, 1)" };
  await expect(db.batch([beat])).rejects.toMatchObject(refused);
  await expect(probe()).rejects.toMatchObject(refused);
  // On a full disk a small write may still succeed.
  await db.batch([{ sql: "update worker set heartbeat_at = 2" }]);
  await expect(probe()).rejects.toMatchObject(refused);
  await server.batch([freeSpace]);
  await Promise.all([probe(), probe()]);
  expect(await server.query("select id from key_check")).toEqual([]);
});

test("an error in a statement does not affect readiness", async () => {
  const { db, probe } = watchWrites(await useServer("key_check"));
  await expect(db.batch([{ sql: "insert into nowhere values (1)" }])).rejects.toThrow("nowhere");
  await probe();
});
