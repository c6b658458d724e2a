import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Db, Row } from "../../server/storage/db.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { seedOldSchema } from "./seed.ts";

const WORKSPACES = migrations.findIndex(({ name }) => name === "workspaces");

interface Table {
  rows: number;
  hash: string;
}

/**
 * `npm run test:migration [-- --tasks 100000 --only postgres]`: writes a database of the schema before workspaces, migrates it, and
 * compares every table by its number of rows and the hash of their content. SQLite, then PostgreSQL.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { tasks: { type: "string", default: "100000" }, only: { type: "string" } },
  });
  const tasks = Number(values.tasks);
  const folder = mkdtempSync(join(tmpdir(), "baton-migration-"));
  const server = await startPostgres({ durable: false });
  try {
    console.log(
      "| Database | Tasks | Tables | Rows | Workspaces ms | All later migrations ms | Lost |\n|---|---|---|---|---|---|---|",
    );
    const databases = {
      sqlite: async () => openSqlite({ folder }),
      postgres: () => openPostgres({ url: server.url }),
    };
    for (const [name, open] of Object.entries(databases)) {
      if (values.only !== undefined && values.only !== name) continue;
      const db = await open();
      try {
        await check(db, tasks);
      } finally {
        await db.close();
      }
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(db: Db, tasks: number): Promise<void> {
  await migrate(db, migrations.slice(0, WORKSPACES), 0);
  await seedOldSchema(db, tasks);
  const columns = await columnsOf(db);
  const before = await contentOf(db, columns);
  const ms = await timed(() => migrate(db, migrations.slice(0, WORKSPACES + 1), 0));
  // The error workflow of an account became that of its workspace.
  const after = await contentOf(db, columns, {
    account: "select a.*, w.error_workflow_id from account as a join workspace as w on w.id = a.id",
  });
  const lost = [...before].filter(([name, { rows, hash }]) => {
    const now = after.get(name);
    return now?.rows !== rows || now.hash !== hash;
  });
  const [{ n: people } = { n: 0 }] = await db.query<{ n: number }>(
    "select count(*) as n from member as m join workspace as w on w.id = m.workspace_id and w.id = m.user_id",
  );
  if (Number(people) !== before.get("account")?.rows)
    lost.push(["member", { rows: Number(people), hash: "" }]);
  if (db.dialect === "sqlite" && (await db.query("pragma foreign_key_check")).length > 0)
    lost.push(["foreign keys", { rows: 0, hash: "" }]);
  const laterMs = await timed(() => migrate(db, migrations, 0));
  const rows = [...before.values()].reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `| ${db.dialect} | ${tasks} | ${before.size} | ${rows} | ${ms} | ${laterMs} | ${lost.length === 0 ? "nothing" : lost.map(([name]) => name).join(", ")} |`,
  );
  if (lost.length > 0) process.exitCode = 1;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

/** Without the record of the migrations themselves and SQLite's own tables. */
async function columnsOf(db: Db): Promise<Map<string, string[]>> {
  const rows = await db.query<{ name: string; col: string }>(
    db.dialect === "sqlite"
      ? `select m.name, c.name as col from sqlite_master as m join pragma_table_info(m.name) as c
         where m.type = 'table' and m.name not like 'sqlite%' order by m.name, c.name`
      : `select table_name as name, column_name as col from information_schema.columns
         where table_schema = 'public' order by table_name, column_name`,
  );
  const columns = new Map<string, string[]>();
  for (const { name, col } of rows)
    if (name !== "schema_migration") columns.set(name, [...(columns.get(name) ?? []), col]);
  return columns;
}

async function contentOf(
  db: Db,
  columns: ReadonlyMap<string, readonly string[]>,
  changed: Readonly<Record<string, string>> = {},
): Promise<Map<string, Table>> {
  const content = new Map<string, Table>();
  for (const [name, cols] of columns) {
    const source = changed[name] === undefined ? name : `(${changed[name]}) as changed`;
    const rows = await db.query(`select ${cols.map((col) => `"${col}"`).join(", ")} from ${source}`);
    content.set(name, { rows: rows.length, hash: hashOf(rows) });
  }
  return content;
}

/** Whatever the order of the rows. */
function hashOf(rows: readonly Row[]): string {
  const hash = createHash("sha256");
  for (const text of rows.map((row) => JSON.stringify(row)).toSorted()) hash.update(text).update("\n");
  return hash.digest("hex");
}
