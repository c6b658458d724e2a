import { copyFileSync, mkdtempSync, openSync, closeSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DATABASE_FILE, openSqlite } from "./sqlite-db.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-check-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as a crash leaves it: its WAL is still there. */
async function crashed(): Promise<string> {
  const db = openSqlite({ folder });
  await db.batch([{ sql: "create table item (id text primary key, text text)" }]);
  for (let id = 0; id < 200; id++) {
    await db.batch([
      { sql: "insert into item (id, text) values ($1, $2)", params: [`${id}`, "x".repeat(1000)] },
    ]);
  }
  await db.query("pragma wal_checkpoint(truncate)");
  await db.batch([{ sql: "insert into item (id, text) values ('last', '')" }]);
  const after = mkdtempSync(join(tmpdir(), "baton-check-"));
  for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`])
    copyFileSync(join(folder, name), join(after, name));
  await db.close();
  rmSync(folder, { recursive: true });
  folder = after;
  return join(folder, DATABASE_FILE);
}

function damage(path: string): void {
  const file = openSync(path, "r+");
  for (let at = 8 * 4096; at < statSync(path).size; at += 4096)
    writeSync(file, Buffer.alloc(64, 0xff), 0, 64, at);
  closeSync(file);
}

test("[R16] a file damaged by a crash is reported at start-up with what to do", async () => {
  damage(await crashed());
  expect(() => openSqlite({ folder })).toThrow(
    expect.objectContaining({
      code: "database_damaged",
      message: expect.stringMatching(/baton\.sqlite.*backup/),
    }),
  );
});

test("after a harmless crash the file opens with everything that was written", async () => {
  await crashed();
  const db = openSqlite({ folder });
  expect(await db.query("select count(*) as n from item")).toEqual([{ n: 201 }]);
  await db.close();
});

test("a file that is not a database is refused with a readable error", async () => {
  const path = await crashed();
  const file = openSync(path, "r+");
  writeSync(file, "this is not a database at all, but a text", 0);
  closeSync(file);
  expect(() => openSqlite({ folder })).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^database_/) }),
  );
});
