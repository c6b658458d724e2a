import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/all.ts";
import { DATABASE_FILE, openSqlite } from "./sqlite-db.ts";

/** Stores a database with all migrations and no records. Called by `scripts/build.mjs`. */
export async function writeTemplate(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-template-"));
  try {
    const db = openSqlite({ folder, sync: () => Promise.resolve() });
    await migrate(db, migrations, Date.now());
    await db.query("vacuum");
    await db.close();
    // Not a copy of the file, which only its owner can read: another user may run the service.
    writeFileSync(file, readFileSync(join(folder, DATABASE_FILE)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
