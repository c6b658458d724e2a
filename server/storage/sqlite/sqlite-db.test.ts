import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "../db.ts";
import { stoppedUncleanly } from "./check-file.ts";
import { openConnection } from "./connection.ts";
import { DATABASE_FILE, openSqlite } from "./sqlite-db.ts";

// Rules for every database are tested in test/storage/db-contract.ts.
let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "baton-sqlite-"));
  db = openSqlite({ folder });
  await db.batch([{ sql: "create table item (id text primary key, n bigint)" }]);
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (id: string, n = 0) => ({ sql: "insert into item (id, n) values ($1, $2)", params: [id, n] });
const count = async () => (await db.query<{ n: number }>("select count(*) as n from item"))[0]?.n;

test("a caller that reads repeatedly does not starve others", async () => {
  const counting =
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000) select max(i) as i from n";
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await Promise.all(
    [1, 2].map(async () => {
      for (let page = 0; page < 3; page++) await db.query(counting);
    }),
  );
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("nothing is acknowledged before it is on disk, and a failed sync rejects every waiter", async () => {
  await db.close();
  let failing = true;
  db = openSqlite({
    folder,
    sync: () =>
      failing ? Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) : Promise.resolve(),
  });
  const results = await Promise.allSettled([db.batch([insert("a")]), db.batch([insert("b")])]);
  for (const result of results)
    expect(result).toMatchObject({
      status: "rejected",
      reason: { code: "storage_unavailable", retryable: true },
    });
  failing = false;
  await db.batch([insert("c")]);
  expect((await db.query("select id from item where id = 'c'")).length).toBe(1);
});

test("a full disk rejects the batch with a retryable error and recovers when space is free", async () => {
  await db.query("pragma max_page_count = 12");
  const big = "x".repeat(64 * 1024);
  await expect(
    db.batch([{ sql: "insert into item (id, n) values ($1, 0)", params: [big] }]),
  ).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(await count()).toBe(0);
  await db.query("pragma max_page_count = 1000000");
  await db.batch([{ sql: "insert into item (id, n) values ($1, 0)", params: [big] }]);
  expect(await count()).toBe(1);
});

test("a clean stop leaves nothing in the WAL, so that the next start need not check the file", async () => {
  await db.batch([insert("a")]);
  await db.close();
  expect(stoppedUncleanly(join(folder, DATABASE_FILE))).toBe(false);
  db = openSqlite({ folder });
  expect(await count()).toBe(1);
});

test("compaction does not wait for another reader and completes after it ends", async () => {
  await db.batch(Array.from({ length: 300 }, (_, n) => insert(`${n}${"x".repeat(4000)}`)));
  await db.batch([{ sql: "delete from item" }]);
  const backup = openConnection(join(folder, DATABASE_FILE));
  backup.exec("begin");
  backup.prepare("select count(*) as n from item").all();
  while (await db.compact?.());
  expect(stoppedUncleanly(join(folder, DATABASE_FILE))).toBe(true);
  backup.exec("commit");
  backup.close();
  while (await db.compact?.());
  expect(stoppedUncleanly(join(folder, DATABASE_FILE))).toBe(false);
});

test("a second process on the same folder fails with an error that says what to do", async () => {
  const script = `import { openSqlite } from ${JSON.stringify(new URL("./sqlite-db.ts", import.meta.url).href)};
    try { openSqlite({ folder: ${JSON.stringify(folder)} }); process.exit(0); } catch (error) { console.log(error.code, error.message); process.exit(3); }`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, "close")) as [number];
  expect(output).toContain("data_folder_in_use");
  expect(output).toContain(`process ${process.pid}`);
  expect(output).toContain("DATA_DIR");
  expect(exitCode).toBe(3);
});
