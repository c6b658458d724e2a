import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../server/storage/db.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";

/** Runs `work` on a migrated, empty database, which is removed afterwards. */
export async function withEmptyDatabase(
  { postgres }: { postgres: boolean },
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const server = postgres
    ? await startPostgres({ durable: false, settings: { shared_buffers: "256MB" } })
    : undefined;
  const db = server === undefined ? openSqlite({ folder }) : await openPostgres({ url: server.url });
  try {
    await migrate(db, migrations, 0);
    await work(db);
  } finally {
    await db.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
