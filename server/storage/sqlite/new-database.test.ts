import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { temporaryFolder, useTemporaryFolder } from "../../../test/support/test-app.ts";
import type { Db } from "../db.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/all.ts";
import { DATABASE_FILE, openSqlite } from "./sqlite-db.ts";
import { writeTemplate } from "./write-template.ts";

let templateFolder: string;
let template: URL;
let folder: string;
let file: string;
beforeAll(async () => {
  templateFolder = await temporaryFolder();
  const path = join(templateFolder, "new-database.sqlite");
  await writeTemplate(path);
  template = pathToFileURL(path);
});
afterAll(() => rmSync(templateFolder, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await useTemporaryFolder();
  file = join(folder, DATABASE_FILE);
});

test("every user of the machine can read the template", () => {
  expect(statSync(template).mode & 0o444).toBe(0o444);
});

/** The whole schema, what the migrations wrote into any table, and the settings of the file. */
async function contentOf(db: Db): Promise<unknown> {
  const schema = await db.query<{ type: string; name: string }>(
    "select type, name, tbl_name, sql from sqlite_master order by type, name",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of schema.filter(({ type }) => type === "table"))
    rows[name] = await db.query(`select * from "${name}" order by 1`);
  rows["schema_migration"] = await db.query("select version, name from schema_migration order by version");
  const settings = await db.query(
    `select (select auto_vacuum from pragma_auto_vacuum) as vacuum, (select foreign_keys from pragma_foreign_keys) as keys,
       (select journal_mode from pragma_journal_mode) as journal`,
  );
  return { schema, rows, settings };
}

async function contentAndClose(db: Db): Promise<unknown> {
  const content = await contentOf(db);
  await db.close();
  return content;
}

test("a new database made from the template equals one made by all migrations", async () => {
  const migrated = openSqlite({ folder: await useTemporaryFolder() });
  await migrate(migrated, migrations, 1);
  const copied = openSqlite({ folder, template });
  expect(await contentAndClose(copied)).toEqual(await contentAndClose(migrated));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an existing database is not replaced", async () => {
  const db = openSqlite({ folder });
  await db.batch([{ sql: "create table item (id text)" }]);
  await db.close();
  // As after the restore of a backup.
  for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  const again = openSqlite({ folder, template });
  expect(await again.query("select name from sqlite_master")).toEqual([{ name: "item" }]);
  await again.close();
});

test("without the file of the template, the new database is empty", async () => {
  const db = openSqlite({ folder, template: pathToFileURL(join(folder, "missing.sqlite")) });
  expect(await db.query("select name from sqlite_master")).toEqual([]);
  await db.close();
});

test("what an interrupted first start copied is replaced", async () => {
  writeFileSync(`${file}.new`, "half of a database");
  const db = openSqlite({ folder, template });
  await expect(migrate(db, migrations, 1)).resolves.toBe(migrations.at(-1)!.version);
  expect(existsSync(`${file}.new`)).toBe(false);
  await db.close();
});

test("a copy that cannot be written is reported with its path", () => {
  mkdirSync(`${file}.new`);
  expect(() => openSqlite({ folder, template })).toThrow(
    expect.objectContaining({
      code: "database_unreadable",
      message: expect.stringContaining(`${file}.new cannot be written`),
    }),
  );
});

test("a failed start releases the folder: the next one works", async () => {
  mkdirSync(`${file}.new`);
  expect(() => openSqlite({ folder, template })).toThrow();
  rmdirSync(`${file}.new`);
  await openSqlite({ folder, template }).close();
});

test("a full disk is reported as such", () => {
  symlinkSync("/dev/full", `${file}.new`);
  expect(() => openSqlite({ folder, template })).toThrow(
    expect.objectContaining({ code: "storage_unavailable" }),
  );
});

test("the WAL of a deleted database is not applied to the new one", async () => {
  const db = openSqlite({ folder });
  await db.batch([{ sql: "create table item (id text)" }, { sql: "insert into item values ('a')" }]);
  // As after a crash: closing empties the WAL.
  copyFileSync(`${file}-wal`, `${file}-kept`);
  await db.close();
  rmSync(file);
  renameSync(`${file}-kept`, `${file}-wal`);
  const fresh = openSqlite({ folder, template });
  expect(await fresh.query("select name from sqlite_master")).toEqual([]);
  expect(await fresh.query("pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
  await fresh.close();
});
