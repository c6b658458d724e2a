import { rm } from "node:fs/promises";
import { createAccountStore } from "../../server/accounts/account.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { writeMigratedFile } from "./migrated-file.ts";
import { releaseDatabase, acquireDatabase } from "./postgres.ts";
import { temporaryFolder } from "./test-app.ts";

export interface TestDb {
  db: Db;
  /** For files that belong to the test; removed with the database. */
  folder: string;
  close(): Promise<void>;
}

/** True in the run of test/postgres. */
export const isPostgres = process.env["TEST_DATABASE"] === "postgres";

/** Accounts with these ids, which nobody can log in to. */
export async function insertAccounts(db: Db, ids: readonly string[], createdAt = 1): Promise<void> {
  const { insert } = createAccountStore(db);
  for (const id of ids)
    await insert({ id, email: `${id}@example.com`, name: null, passwordHash: "hash", createdAt });
}

/** A migrated, empty database: SQLite, or PostgreSQL in the run of test/postgres. */
export async function openTestDb(): Promise<TestDb> {
  const folder = await temporaryFolder();
  const opened = isPostgres ? await onPostgres() : await onSqlite(folder);
  return {
    ...opened,
    folder,
    async close() {
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function onSqlite(folder: string): Promise<Omit<TestDb, "folder">> {
  await writeMigratedFile(folder);
  // Tests kill processes but never the machine, so writes do not need to be synced.
  const db = openSqlite({ folder, sync: () => Promise.resolve() });
  return { db, close: () => db.close() };
}

async function onPostgres(): Promise<Omit<TestDb, "folder">> {
  const url = await acquireDatabase();
  const db = await openPostgres({ url });
  return {
    db,
    async close() {
      await db.close();
      await releaseDatabase(url);
    },
  };
}
