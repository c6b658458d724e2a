import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";

async function openAndMigrate(url: string): Promise<void> {
  const db = await openPostgres({ url });
  try {
    await migrate(db, migrations, 1);
  } finally {
    await db.close();
  }
}

/** The same database for another role, made for the running test. */
async function asRole(url: string, name: string, password = "secret"): Promise<string> {
  const role = `${name}_${Math.random().toString(36).slice(2, 8)}`;
  await asAdmin(url, `create role ${role} login password 'secret'`);
  onTestFinished(() => asAdmin(url, `drop owned by ${role} cascade`, `drop role ${role}`));
  return Object.assign(new URL(url), { username: role, password }).href;
}

test("a server that is not there is named with its address", async () => {
  await expect(openPostgres({ url: "postgres://user@127.0.0.1:1/baton" })).rejects.toMatchObject({
    code: "database_unreachable",
    message: expect.stringMatching(/127\.0\.0\.1:1.*ECONNREFUSED/),
  });
});

test("a wrong password and a database that is not there are told apart, without the password", async () => {
  const url = await useDatabase();
  const refused = openPostgres({ url: await asRole(url, "stranger", "wrong-password") });
  await expect(refused).rejects.toMatchObject({ code: "database_login_refused" });
  await expect(refused).rejects.not.toThrow("wrong-password");
  await expect(
    openPostgres({ url: Object.assign(new URL(url), { pathname: "/nowhere" }).href }),
  ).rejects.toMatchObject({ code: "database_missing", message: expect.stringContaining("nowhere") });
});

test("a role that may make no tables is told so, and may use those that are there", async () => {
  const url = await useDatabase();
  const role = await asRole(url, "guest");
  await asAdmin(url, "revoke create on schema public from public");
  const refused = { code: "database_no_rights", message: expect.stringContaining("create") };
  await expect(openAndMigrate(role)).rejects.toMatchObject(refused);
  await openAndMigrate(url);
  const name = new URL(role).username;
  await asAdmin(url, `grant select, insert, update, delete on all tables in schema public to ${name}`);
  await openAndMigrate(role);
});

test("a database that takes no writes is refused, and nothing is made in it", async () => {
  const url = await useDatabase();
  await asAdmin(
    url,
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
  );
  await expect(openPostgres({ url })).rejects.toMatchObject({ code: "database_read_only" });
});

test("a schema that a newer program has written is refused and left alone", async () => {
  const url = await useDatabase();
  await openAndMigrate(url);
  await asAdmin(
    url,
    "insert into schema_migration (version, name, applied_at) values (9999, 'from the future', 0)",
  );
  await expect(openAndMigrate(url)).rejects.toMatchObject({
    code: "schema_too_new",
    message: expect.stringContaining("9999"),
  });
});

test("of many that start on an empty database at once each finds all tables made once", async () => {
  const url = await useDatabase();
  await Promise.all(Array.from({ length: 6 }, () => openAndMigrate(url)));
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  const rows = await db.query("select version from schema_migration order by version");
  expect(rows.map((row) => row["version"])).toEqual(migrations.map(({ version }) => version));
});

test("a migration that fails leaves nothing of itself behind", async () => {
  const url = await useDatabase();
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  const broken = {
    version: 1,
    name: "broken",
    statements: ["create table half (id text)", "create nonsense"],
  };
  await expect(migrate(db, [broken], 1)).rejects.toThrow("nonsense");
  expect(await db.query("select to_regclass('half') as half")).toEqual([{ half: null }]);
  expect(await migrate(db, migrations, 1)).toBe(migrations.at(-1)!.version);
});
