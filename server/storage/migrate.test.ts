import { beforeAll, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/test-app.ts";
import type { Db, Statement } from "./db.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/all.ts";
import { type SchemaDump, dumpSchema } from "./sqlite/schema-dump.ts";
import { openSqlite } from "./sqlite/sqlite-db.ts";

async function openNew(): Promise<Db> {
  const db = openSqlite({ folder: await temporaryFolder() });
  onTestFinished(() => db.close());
  return db;
}

let dump: SchemaDump;

beforeAll(async () => {
  const db = openSqlite({ folder: await temporaryFolder() });
  await migrate(db, migrations, 1);
  dump = await dumpSchema(db);
  await db.close();
});

/** The whole schema, and what the migrations wrote into any table. */
async function contentOf(db: Db): Promise<unknown> {
  const schema = await db.query<{ type: string; name: string }>(
    "select type, name, tbl_name, sql from sqlite_master order by type, name",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of schema.filter(({ type }) => type === "table"))
    rows[name] = await db.query(`select * from "${name}" order by 1`);
  const settings = await db.query(
    "select (select auto_vacuum from pragma_auto_vacuum) as vacuum, (select foreign_keys from pragma_foreign_keys) as keys",
  );
  return { schema, rows, settings };
}

test("a new SQLite database made from the dump equals one made by all migrations", async () => {
  const [migrated, dumped] = [await openNew(), await openNew()];
  await migrate(migrated, migrations, 1);
  const newest = await migrate(dumped, migrations, 1, () => dump);
  expect(newest).toBe(migrations.at(-1)!.version);
  expect(await contentOf(dumped)).toEqual(await contentOf(migrated));
});
test("the dump is used for a new database only", async () => {
  const db = await openNew();
  await migrate(db, migrations.slice(0, -1), 1);
  await migrate(db, migrations, 2, () => {
    throw new Error("The dump was read.");
  });
  expect((await dumpSchema(db)).versions).toEqual(dump.versions);
});

test("a dump of other migrations is ignored", async () => {
  const db = await openNew();
  const older = { versions: dump.versions.slice(0, -1), statements: ["nonsense"] };
  await migrate(db, migrations, 1, () => older);
  expect(await dumpSchema(db)).toEqual(dump);
});

test("an interrupted first start leaves nothing of the dump, and the next start creates all of it", async () => {
  const db = await openNew();
  const broken = { ...dump, statements: [...dump.statements, "nonsense"] };
  await expect(migrate(db, migrations, 1, () => broken)).rejects.toThrow("nonsense");
  expect(await dumpSchema(db)).toEqual({ versions: [], statements: [] });
  await migrate(db, migrations, 2, () => dump);
  expect(await dumpSchema(db)).toEqual(dump);
});

test("PostgreSQL applies the migrations themselves", async () => {
  const sent: string[] = [];
  const db = {
    dialect: "postgres",
    query: () => Promise.resolve([]),
    batch: (statements: Statement[]) => Promise.resolve(sent.push(...statements.map(({ sql }) => sql))),
    exclusively: (work: (alone: unknown) => unknown) => work(db),
  };
  await migrate(db as unknown as Db, migrations, 1, () => dump);
  const [first] = migrations;
  const { statements } = first!;
  expect(sent.slice(0, 3)).toEqual(("sqlite" in statements ? statements.postgres : statements).slice(0, 3));
  expect(sent.filter((sql) => sql.startsWith("insert into schema_migration"))).toHaveLength(
    migrations.length,
  );
});
