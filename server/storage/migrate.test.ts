import { expect, onTestFinished, test } from "vitest";
import { useTemporaryFolder } from "../../test/support/test-app.ts";
import type { Db, Statement } from "./db.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/all.ts";
import { openSqlite } from "./sqlite/sqlite-db.ts";

async function openNew(): Promise<Db> {
  const db = openSqlite({ folder: await useTemporaryFolder() });
  onTestFinished(() => db.close());
  return db;
}

const versionsOf = async (db: Db) =>
  (await db.query<{ version: number }>("select version from schema_migration order by version")).map(
    ({ version }) => version,
  );

test("only what is not recorded is applied", async () => {
  const db = await openNew();
  await migrate(db, migrations.slice(0, -1), 1);
  await expect(migrate(db, migrations, 2)).resolves.toBe(migrations.at(-1)!.version);
  expect(await versionsOf(db)).toEqual(migrations.map(({ version }) => version));
  await expect(migrate(db, migrations, 3)).resolves.toBe(migrations.at(-1)!.version);
});

test("PostgreSQL gets its own statements", async () => {
  const sent: string[] = [];
  const db = {
    dialect: "postgres",
    query: () => Promise.resolve([]),
    batch: (statements: Statement[]) => Promise.resolve(sent.push(...statements.map(({ sql }) => sql))),
    exclusively: (work: (alone: unknown) => unknown) => work(db),
  };
  await migrate(db as unknown as Db, migrations, 1);
  const [first] = migrations;
  const { statements } = first!;
  expect(sent.slice(0, 3)).toEqual(("sqlite" in statements ? statements.postgres : statements).slice(0, 3));
  expect(sent.filter((sql) => sql.startsWith("insert into schema_migration"))).toHaveLength(
    migrations.length,
  );
});
