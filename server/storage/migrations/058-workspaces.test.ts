import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../../test/support/postgres.ts";
import { useTemporaryFolder } from "../../../test/support/test-app.ts";
import type { Db } from "../db.ts";
import { migrate } from "../migrate.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { openSqlite } from "../sqlite/sqlite-db.ts";
import { migrations } from "./all.ts";

const databases = [
  ["SQLite", async () => openSqlite({ folder: await useTemporaryFolder() })],
  ["PostgreSQL", async () => openPostgres({ url: await useDatabase() })],
] as const;

const at = (version: number) => migrations.filter((migration) => migration.version <= version);

/** Two accounts, one of which is being deleted, with a record, a login and a shared collection. */
async function before(open: () => Promise<Db>): Promise<Db> {
  const db = await open();
  onTestFinished(() => db.close());
  await migrate(db, at(57), 0);
  await db.batch([
    {
      sql: `insert into account (id, email, name, password_hash, created_at, tokens_valid_from, error_workflow_id) values
              ('user_1', 'a@b.c', 'Ada', 'hash', 5, 7, 'wf_1'), ('user_2', 'deleted:user_2', null, '', 6, null, null)`,
    },
    { sql: "insert into account_deletion (owner_id, requested_at, claimed_until) values ('user_2', 9, 0)" },
    {
      sql: `insert into template (id, owner_id, name, description, category, graph, versions, created_at)
            values ('tpl_1', 'user_1', 'T', '', '', '{}', '[]', 0)`,
    },
    {
      sql: `insert into login_session (id, user_id, user_agent, address, created_at, expires_at)
            values ('login_1', 'user_1', 'x', '::1', 1, 2)`,
    },
    { sql: "insert into second_factor (user_id, secret, last_step) values ('user_1', 'sealed', 3)" },
    { sql: "insert into recovery_code (user_id, hash) values ('user_1', 'code')" },
    { sql: "insert into collection (id, owner_id, name, created_at) values ('col_1', 'user_1', 'C', 0)" },
    { sql: "insert into collection_reader (collection_id, user_id) values ('col_1', 'user_2')" },
  ]);
  await migrate(db, at(58), 0);
  return db;
}

for (const [name, open] of databases) {
  test(`${name}: every account has a personal workspace with its own id, and keeps its records and logins`, async () => {
    const db = await before(open);
    expect(await db.query("select * from account order by id")).toEqual([
      {
        id: "user_1",
        email: "a@b.c",
        name: "Ada",
        password_hash: "hash",
        created_at: 5,
        tokens_valid_from: 7,
      },
      {
        id: "user_2",
        email: "deleted:user_2",
        name: null,
        password_hash: "",
        created_at: 6,
        tokens_valid_from: null,
      },
    ]);
    const workspace = { name: "Personal", kind: "personal" };
    expect(
      await db.query(
        "select id, name, kind, created_at, deleted_at, error_workflow_id from workspace order by id",
      ),
    ).toEqual([
      { id: "user_1", ...workspace, created_at: 5, deleted_at: null, error_workflow_id: "wf_1" },
      { id: "user_2", ...workspace, created_at: 6, deleted_at: 9, error_workflow_id: null },
    ]);
    expect(await db.query("select * from member order by user_id")).toEqual([
      { workspace_id: "user_1", user_id: "user_1", role: "owner", created_at: 5 },
      { workspace_id: "user_2", user_id: "user_2", role: "owner", created_at: 6 },
    ]);
    expect(await db.query("select id, user_id, expires_at from login_session")).toEqual([
      { id: "login_1", user_id: "user_1", expires_at: 2 },
    ]);
    expect(await db.query("select * from second_factor")).toMatchObject([
      { user_id: "user_1", secret: "sealed", enabled_at: null, last_step: 3 },
    ]);
    expect(await db.query("select * from recovery_code")).toEqual([{ user_id: "user_1", hash: "code" }]);
    expect(await db.query("select * from collection_reader")).toEqual([
      { collection_id: "col_1", user_id: "user_2" },
    ]);
  });

  test(`${name}: records refer to workspaces, logins and readers to accounts`, async () => {
    const db = await before(open);
    const template = (ownerId: string) =>
      db.batch([
        {
          sql: `insert into template (id, owner_id, name, description, category, graph, versions, created_at)
                values ($id, $ownerId, 'T', '', '', '{}', '[]', 0)`,
          params: { id: `tpl_${ownerId}`, ownerId },
        },
      ]);
    await db.batch([
      { sql: "insert into workspace (id, name, kind, created_at) values ('ws_1', 'Team', 'team', 0)" },
    ]);
    await template("ws_1");
    await expect(template("nobody")).rejects.toThrow();
    const login = (userId: string) =>
      db.batch([
        {
          sql: "insert into login_session (id, user_id, created_at, expires_at) values ($userId, $userId, 1, 2)",
          params: { userId },
        },
      ]);
    await expect(login("ws_1")).rejects.toThrow();
    await login("user_1");
    await expect(db.batch([{ sql: "delete from workspace where id = 'user_1'" }])).rejects.toThrow();
    await db.batch([{ sql: "delete from member" }, { sql: "delete from account where id = 'user_2'" }]);
    expect(await db.query("select * from collection_reader")).toEqual([]);
  });
}
