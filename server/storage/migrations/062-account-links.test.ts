import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../../test/support/postgres.ts";
import { useTemporaryFolder } from "../../../test/support/test-app.ts";
import { migrate } from "../migrate.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { openSqlite } from "../sqlite/sqlite-db.ts";
import { accountLinks } from "./062-account-links.ts";
import { migrations } from "./all.ts";

const databases = [
  ["SQLite", async () => openSqlite({ folder: await useTemporaryFolder() })],
  ["PostgreSQL", async () => openPostgres({ url: await useDatabase() })],
] as const;

test.each(databases)(
  "on %s the oldest account that is not being deleted becomes the administrator",
  async (_name, open) => {
    const db = await open();
    onTestFinished(() => db.close());
    const released = migrations.filter(({ version }) => version < accountLinks.version);
    await migrate(db, released, 1);
    for (const [id, hash, createdAt] of [
      ["deleted", "", 1],
      ["newer", "x", 3],
      ["oldest", "x", 2],
    ])
      await db.batch([
        {
          sql: "insert into account (id, email, password_hash, created_at) values ($1, $1, $2, $3)",
          params: [id, hash, createdAt] as [string, string, number],
        },
      ]);
    await migrate(db, migrations, 1);
    const rows = await db.query("select id from account where is_administrator = 1");
    expect(rows.map((row) => row["id"])).toEqual(["oldest"]);
  },
);
