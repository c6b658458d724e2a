import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { writeTemplate } from "../../server/storage/sqlite/write-template.ts";

let migrated: Promise<Buffer> | undefined;

/** Gives a new folder a migrated, empty SQLite database. All migrations take 100 ms of CPU, this copy takes 1 ms. */
export async function writeMigratedFile(folder: string): Promise<void> {
  migrated ??= migrateOnce();
  await writeFile(join(folder, DATABASE_FILE), await migrated);
}

async function migrateOnce(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "baton-migrated-"));
  const file = join(folder, DATABASE_FILE);
  await writeTemplate(file);
  const content = await readFile(file);
  await rm(folder, { recursive: true, force: true });
  return content;
}
