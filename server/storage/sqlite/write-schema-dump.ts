import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/all.ts";
import { dumpSchema } from "./schema-dump.ts";
import { openSqlite } from "./sqlite-db.ts";

/** Called by `scripts/build.mjs`. */
export async function writeSchemaDump(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-schema-"));
  try {
    const db = openSqlite({ folder, sync: () => Promise.resolve() });
    await migrate(db, migrations, 0);
    writeFileSync(file, JSON.stringify(await dumpSchema(db)));
    await db.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
